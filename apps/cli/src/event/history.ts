import type { Client, Event } from '@collab-spaces/client'
import { pathOfSpace, withQuery } from '../rest-path.js'

/** The largest page of events. */
const PAGE = 200
/** The largest page of mentions. */
const MENTIONS_PAGE = 100

const pathOfEvents = (spaceId: string) => `${pathOfSpace(spaceId)}/events` as const

/** The history in pages: from its beginning, or after an event, to where it ends when that is reached. */
export async function* pagesAfter(
  client: Client,
  spaceId: string,
  since: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Event[], undefined> {
  let cursor = since
  for (;;) {
    const path = withQuery(pathOfEvents(spaceId), { limit: PAGE, since: cursor })
    const page = await client.get<Event[]>(path, { signal })
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
export function eventsBetween(client: Client, spaceId: string, { from, to }: Span, signal: AbortSignal) {
  const path = withQuery(`${pathOfSpace(spaceId)}/transcript`, { start: from, end: to })
  return client.get<Event[]>(path, { signal })
}

interface Last {
  /** Only events before this one. */
  readonly before?: string | undefined
  readonly signal: AbortSignal
}

/** The newest events, ascending: at most `count`. */
export async function lastEvents(
  client: Client,
  spaceId: string,
  count: number,
  { before, signal }: Last,
): Promise<Event[]> {
  const pages: Event[][] = []
  let missing = count
  let end = before
  while (missing > 0) {
    const limit = Math.min(missing, PAGE)
    const where = end === undefined ? { tail: true } : { before: end }
    const page = await client.get<Event[]>(withQuery(pathOfEvents(spaceId), { limit, ...where }), { signal })
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
  spaceId: string,
  actorId: string,
  since: string | undefined,
  signal: AbortSignal,
): Promise<Event[]> {
  const mentions = `${pathOfSpace(spaceId)}/mentions/${encodeURIComponent(actorId)}` as const
  const found: Event[] = []
  let cursor = since
  for (;;) {
    const path = withQuery(mentions, { limit: MENTIONS_PAGE, since: cursor })
    const page = await client.get<Event[]>(path, { signal })
    found.push(...page)
    if (page.length < MENTIONS_PAGE) return found
    cursor = page.at(-1)?.event_id
  }
}
