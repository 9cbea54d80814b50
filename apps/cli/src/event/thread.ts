import type { Client, Event, Thread } from '@collab-spaces/client'
import { pathOfSpace } from '../rest-path.js'

/** What separates a thread from its events in the answer. No text in it contains this, as quotes are escaped there. */
const EVENTS = ',"events":['

const pathOf = (spaceId: string, id: string) => `${pathOfSpace(spaceId)}/threads/${encodeURIComponent(id)}` as const

/** A thread with its events, by its id or that of the event it is about. */
export const threadWithEvents = (client: Client, spaceId: string, id: string, signal: AbortSignal) =>
  client.get<{ readonly thread: Thread; readonly events: Event[] }>(pathOf(spaceId, id), { signal })

/** A thread alone: only the beginning of the answer is read, as a thread may be as long as its space. */
export const threadAlone = (client: Client, spaceId: string, id: string, signal: AbortSignal): Promise<Thread> =>
  client.get(pathOf(spaceId, id), { read: threadIn, signal })

async function threadIn({ body }: Response): Promise<Thread> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const end = text.indexOf(EVENTS)
    if (end !== -1) return JSON.parse(`${text.slice(0, end)}}`).thread
  }
  return JSON.parse(text).thread
}
