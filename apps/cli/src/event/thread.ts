import type { Event, Thread } from '@collab-spaces/client'
import type { Rest } from '../rest.js'

/** What stands between a thread and its events in the answer. No text in it can hold this: there, quotes are escaped. */
const EVENTS = ',"events":['

const pathOf = (spaceId: string, id: string) =>
  `spaces/${encodeURIComponent(spaceId)}/threads/${encodeURIComponent(id)}`

/** A thread with what was said in it. Its id may be that of the event it is anchored on. */
export const threadWithEvents = (rest: Rest, spaceId: string, id: string) =>
  rest.get<{ readonly thread: Thread; readonly events: Event[] }>(pathOf(spaceId, id))

/** A thread alone: of the answer only the beginning is read, as a thread may be as long as its space. */
export const threadAlone = (rest: Rest, spaceId: string, id: string): Promise<Thread> =>
  rest.take(pathOf(spaceId, id), threadIn)

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
