import type { GetOptions } from './get.js'
import type { Event } from './router.js'

/** Which events are read. */
export interface EventsOptions {
  /** The id of an event: only what comes after it. */
  readonly since?: string | undefined
  /** Ends the loop with an error. */
  readonly signal?: AbortSignal | undefined
}

/** As many as a page can have. */
const PAGE = 200

type Get = <T>(path: `/${string}`, options?: GetOptions<T>) => Promise<T>

/** A space's history in pages, which are read over REST: there they may have any size. */
export async function* eventsOf(
  get: Get,
  spaceId: string,
  { since, signal }: EventsOptions,
): AsyncGenerator<Event, undefined> {
  for (let cursor = since; ; ) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(cursor !== undefined && { since: cursor }) })
    const page = await get<Event[]>(`/api/spaces/${encodeURIComponent(spaceId)}/events?${query}`, { signal })
    yield* page
    if (page.length < PAGE) return
    cursor = page.at(-1)?.event_id
  }
}
