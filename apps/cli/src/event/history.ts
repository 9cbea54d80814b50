import type { Client, Event } from '@collab-spaces/client'

/** The largest page there is. */
const PAGE = 200

const pathOf = (spaceId: string) => `/api/spaces/${encodeURIComponent(spaceId)}` as const

/** The history in pages: from its beginning, or after an event, to where it ends when that is reached. */
export async function* pagesAfter(
  client: Client,
  spaceId: string,
  since: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Event[], undefined> {
  let cursor = since
  for (;;) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(cursor !== undefined && { since: cursor }) })
    const page = await client.get<Event[]>(`${pathOf(spaceId)}/events?${query}`, { signal })
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
  const query = new URLSearchParams({
    ...(from !== undefined && { start: from }),
    ...(to !== undefined && { end: to }),
  })
  return client.get<Event[]>(`${pathOf(spaceId)}/transcript?${query}`, { signal })
}

/** The newest events, ascending: at most `count`. */
export async function lastEvents(
  client: Client,
  space_id: string,
  count: number,
  signal: AbortSignal,
): Promise<Event[]> {
  const pages: Event[][] = []
  let missing = count
  let before: string | undefined
  while (missing > 0) {
    const limit = Math.min(missing, PAGE)
    const where = before === undefined ? { tail: true } : { before }
    const page = await client.event.list.query({ space_id, limit, ...where }, { signal })
    pages.push(page)
    if (page.length < limit) break
    missing -= limit
    before = page[0]?.event_id
  }
  return pages.reverse().flat()
}

/** The events that mention a participant, after one event or in the whole history. */
export async function mentionsOf(
  client: Client,
  space_id: string,
  participant_id: string,
  since: string | undefined,
  signal: AbortSignal,
): Promise<Event[]> {
  const limit = 100
  const found: Event[] = []
  let cursor = since
  for (;;) {
    const page = await client.event.mentions.query({ space_id, participant_id, since: cursor, limit }, { signal })
    found.push(...page)
    if (page.length < limit) return found
    cursor = page.at(-1)?.event_id
  }
}
