import { discussionSubject, unknown } from '@collab-spaces/domain'
import type { Caller } from '../procedure/credential.js'
import { requireSpace } from '../require-space.js'
import type { Services } from '../services.js'
import type { SentEvent } from './append.js'

/** Places an event in the thread of a decision, which it starts if there is none. 404 for an unknown decision. */
export async function inDiscussion(
  services: Services,
  caller: Caller,
  sent: SentEvent,
  wantedId: string,
): Promise<SentEvent> {
  const { space_id } = sent.event
  const decision = await services.database.decisions.find(caller, space_id, wantedId)
  if (!decision) {
    await requireSpace(services, caller, space_id)
    throw unknown('Decision')
  }
  const { threadId, decisionId, text } = decision
  const event = { ...sent.event, thread_id: threadId ?? decisionId }
  return threadId === null ? { ...sent, event, subject: discussionSubject(text) } : { ...sent, event }
}
