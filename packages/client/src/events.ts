import { PAGES } from './generated/limits.js'
import type { Rest } from './rest.js'
import type { Event } from './router.js'

/** The events that are read. */
export interface EventsOptions {
  /** The id of an event: only what comes after it. */
  readonly since?: string | undefined
  /** Ends the loop with an error. */
  readonly signal?: AbortSignal | undefined
}

const PAGE = PAGES.events.max

/** A space's history in pages, which are read over REST: there they may have any size. */
export async function* eventsOf(
  rest: Rest,
  space_id: string,
  { since, signal }: EventsOptions,
): AsyncGenerator<Event, undefined> {
  for (let cursor = since; ; ) {
    const page = await rest('event.list', { space_id, limit: PAGE, since: cursor }, { signal })
    yield* page
    if (page.length < PAGE) return
    cursor = page.at(-1)?.event_id
  }
}
