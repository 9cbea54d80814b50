import { type Client, type Event, PAGES } from '@collab-spaces/client'

const PAGE = PAGES.events.max
const MENTIONS_PAGE = PAGES.mentions.max

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

/** A span of time, without bounds where none are given. */
interface Span {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The events of a span of time. */
export const eventsBetween = (client: Client, space_id: string, { from, to }: Span, signal: AbortSignal) =>
  client.rest('event.transcript', { space_id, start: from, end: to }, { signal })

interface Last {
  /** Only events before this one. */
  readonly before?: string | undefined
  readonly signal: AbortSignal
}

/** The newest events, ascending: at most `count`. */
export async function lastEvents(
  client: Client,
  space_id: string,
  count: number,
  { before, signal }: Last,
): Promise<Event[]> {
  const pages: Event[][] = []
  let missing = count
  let end = before
  while (missing > 0) {
    const limit = Math.min(missing, PAGE)
    const where = end === undefined ? { tail: true } : { before: end }
    const page = await client.rest('event.list', { space_id, limit, ...where }, { signal })
    pages.push(page)
    if (page.length < limit) break
    missing -= limit
    end = page[0]?.event_id
  }
  return pages.reverse().flat()
}

/** The events that mention an actor, after one event or in the whole history. */
export async function mentionsOf(
  client: Client,
  space_id: string,
  participant_id: string,
  since: string | undefined,
  signal: AbortSignal,
): Promise<Event[]> {
  const found: Event[] = []
  let cursor = since
  for (;;) {
    const after = { space_id, participant_id, limit: MENTIONS_PAGE, since: cursor }
    const page = await client.rest('event.mentions', after, { signal })
    found.push(...page)
    if (page.length < MENTIONS_PAGE) return found
    cursor = page.at(-1)?.event_id
  }
}
