import type { JsonObject } from '@collab-spaces/client'
import { noteAnswer } from '../../shared/session/connectivity'
import { callAs } from '../../shared/session/session'
import { uploadsOf } from '../file/upload-queues'
import { Outbox, type Outgoing, type PostMessage } from './outbox'

const PREFIX = 'spaces.outbox'

/** By storage key. Outboxes outlive sessions, so none keeps a client. */
const outboxes = new Map<string, Outbox>()

/** Returns the outbox of an account in a space: one instance per page, also after a key change. */
export function outboxOf({ actorId, kind }: { actorId: string; kind: string }, spaceId: string): Outbox {
  const name = `${PREFIX} ${actorId} ${spaceId}`
  const known = outboxes.get(name)
  if (known) return known
  const outbox = new Outbox(window.sessionStorage, name, postAs(actorId, kind, spaceId), ({ files = [] }) => {
    if (files.length > 0) uploadsOf(actorId).remove(files.map(({ key }) => key))
  })
  outboxes.set(name, outbox)
  return outbox
}

/** Returns the stored messages of an account that no server has accepted, each with its space. */
export function unsentMessagesOf(actorId: string): { spaceId: string; text: string }[] {
  const prefix = `${PREFIX} ${actorId} `
  return Object.entries(window.sessionStorage)
    .filter(([name]) => name.startsWith(prefix))
    .flatMap(([name, stored]) =>
      (JSON.parse(stored) as Outgoing[]).map(({ text }) => ({ spaceId: name.slice(prefix.length), text })),
    )
}

/** Deletes the outboxes of an account that has signed out. */
export function forgetOutboxes(actorId: string): void {
  const isTheirs = (name: string) => name.startsWith(`${PREFIX} ${actorId} `)
  for (const [name, outbox] of outboxes) {
    if (!isTheirs(name)) continue
    outbox.clear()
    outboxes.delete(name)
  }
  // Spaces not opened since the page loaded have no instance.
  for (const name of Object.keys(window.sessionStorage)) {
    if (isTheirs(name)) window.sessionStorage.removeItem(name)
  }
}

/** Humans post by `speech`, agents by `response`. */
const postAs =
  (actorId: string, kind: string, spaceId: string): PostMessage =>
  async ({ text, parentEventId, threadId, startsOn, corrects, copyOf, mentions, files = [], key }, signal) => {
    const file_ids = files.length > 0 ? await uploadsOf(actorId).idsOf(files, signal) : []
    const metadata: JsonObject | null = mentions.length > 0 ? { mentions } : null
    const { decision_id } = startsOn ?? {}
    const thread_id =
      startsOn?.parent_event_id === undefined ? threadId : await threadOn(actorId, spaceId, startsOn, signal)
    const input = {
      space_id: spaceId,
      text,
      parent_event_id: parentEventId,
      thread_id,
      ...(decision_id !== undefined && { decision_id }),
      metadata,
      corrects,
      ...(file_ids.length > 0 && { file_ids: [...file_ids] }),
      ...(copyOf === undefined && { mentions_from_text: true as const }),
      idempotency_key: key,
    }
    const event = await callAs(actorId, ({ event: { response, speech } }) =>
      kind === 'agent' ? response.mutate(input, { signal }) : speech.mutate(input, { signal }),
    )
    noteAnswer()
    return event
  }

/** Starts the thread on an event, or returns the existing one: each has one thread. */
async function threadOn(
  actorId: string,
  spaceId: string,
  { parent_event_id, subject }: { readonly parent_event_id: string; readonly subject: string },
  signal: AbortSignal,
): Promise<string> {
  const thread = { space_id: spaceId, parent_event_id, subject }
  return (await callAs(actorId, (client) => client.thread.start.mutate(thread, { signal }))).thread_id
}
