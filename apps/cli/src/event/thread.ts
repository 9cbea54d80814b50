import { type Client, type Event, PAGES, type Thread } from '@collab-spaces/client'

/** The text between a thread and its events in the answer. No text in it contains this, as quotes are escaped there. */
const EVENTS = ',"events":['

/** A thread with its events, by its id or that of the event it is about. */
export const threadWithEvents = (client: Client, space_id: string, id: string, signal: AbortSignal) =>
  client.rest('thread.get', { space_id, event_id: id }, { signal })

/** A thread alone: only the beginning of the answer is read, as a thread may be as long as its space. */
export const threadAlone = (client: Client, space_id: string, id: string, signal?: AbortSignal): Promise<Thread> =>
  client.rest('thread.get', { space_id, event_id: id }, { read: threadIn, signal })

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

/** How many threads that are not among the newest are asked for one by one. The others are shown by their ids. */
const MAX_OLDER = 20

/** The subjects of the threads in a space, fetched when they are first met. */
export class Subjects {
  readonly #subjects = new Map<string, string>()

  constructor(
    private readonly client: Client,
    private readonly spaceId: string,
    private readonly signal?: AbortSignal,
  ) {}

  readonly of = (threadId: string): string | undefined => this.#subjects.get(threadId)

  /** Fetches those of the threads that some events are in. */
  async learn(events: readonly Event[]): Promise<void> {
    const met = new Set(events.flatMap(({ thread_id }) => thread_id ?? []))
    const unknown = () => [...met].filter((id) => !this.#subjects.has(id))
    if (unknown().length > 1) await this.#learnNewest()
    for (const id of unknown().slice(0, MAX_OLDER)) {
      const { subject } = await threadAlone(this.client, this.spaceId, id, this.signal)
      this.#subjects.set(id, subject)
    }
  }

  async #learnNewest(): Promise<void> {
    const newest = { space_id: this.spaceId, limit: PAGES.threads.max }
    const threads = await this.client.rest('thread.list', newest, { signal: this.signal })
    for (const { thread_id, subject } of threads) this.#subjects.set(thread_id, subject)
  }
}
