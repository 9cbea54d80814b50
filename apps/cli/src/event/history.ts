import { type Client, type Event, PAGES } from '@collab-spaces/client'

const PAGE = PAGES.events.max

/** The history in pages: from its beginning, or after an event, to where it ends when that is reached. */
export async function* pagesAfter(
  client: Client,
  space_id: string,
  since: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Event[], undefined> {
  let cursor = since
  for (;;) {
    const page = await client.rest('event.list', { space_id, limit: PAGE, since: cursor }, { signal })
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    cursor = page.at(-1)?.event_id
  }
}

/**
 * The first elements of a list that comes in pages: at most `count`. `next` asks for so many of them, after the last one so
 * far.
 */
export async function firstOf<T>(
  count: number,
  page: number,
  next: (limit: number, last: T | undefined) => Promise<readonly T[]>,
): Promise<T[]> {
  const found: T[] = []
  while (found.length < count) {
    const limit = Math.min(count - found.length, page)
    const more = await next(limit, found.at(-1))
    found.push(...more)
    if (more.length < limit) break
  }
  return found
}

interface LastEventsOptions {
  /** Only events before this one. */
  readonly before?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** The newest events, ascending: at most `count`. */
export async function lastEvents(
  client: Client,
  space_id: string,
  count: number,
  { before, signal }: LastEventsOptions = {},
): Promise<Event[]> {
  const descending = await firstOf<Event>(count, PAGES.events.max, async (limit, last) => {
    const end = last?.event_id ?? before
    const where = end === undefined ? { tail: true } : { before: end }
    return (await client.rest('event.list', { space_id, limit, ...where }, { signal })).reverse()
  })
  return descending.reverse()
}

/** The events that mention an actor, after one event or in the whole history. */
export const mentionsOf = (
  client: Client,
  space_id: string,
  participant_id: string,
  since: string | undefined,
  signal: AbortSignal,
): Promise<Event[]> =>
  firstOf<Event>(Number.POSITIVE_INFINITY, PAGES.mentions.max, (limit, last) =>
    client.rest('event.mentions', { space_id, participant_id, limit, since: last?.event_id ?? since }, { signal }),
  )
