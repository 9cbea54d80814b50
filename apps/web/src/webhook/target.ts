import type { Webhook } from '../query/webhook'
import { texts } from '../texts'

/** The subject of a webhook, in words. */
export function targetOf({ space_id, inbox_of }: Webhook, nameOf: (actorId: string) => string, me: string): string {
  const { target } = texts.webhooks
  if (space_id !== null) return target.space(space_id)
  return inbox_of === me ? target.ownInbox : target.inbox(nameOf(inbox_of ?? ''))
}
