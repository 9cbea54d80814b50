import type { Client, Event } from '@collab-spaces/client'
import type { Rest } from '../rest.js'

/** The largest page there is. */
const PAGE = 200

const pathOf = (spaceId: string) => `spaces/${encodeURIComponent(spaceId)}`

/** The history in pages, from behind an event or from its beginning to the end that it has when that is reached. */
export async function* pagesAfter(
  rest: Rest,
  spaceId: string,
  since: string | undefined,
): AsyncGenerator<Event[], undefined> {
  let cursor = since
  for (;;) {
    const where = new URLSearchParams({ limit: String(PAGE), ...(cursor !== undefined && { since: cursor }) })
    const page: Event[] = await rest.get(`${pathOf(spaceId)}/events?${where}`)
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    cursor = page.at(-1)?.event_id
  }
}

/** The events of a range of time. */
export async function eventsBetween(rest: Rest, spaceId: string, from?: string, to?: string): Promise<Event[]> {
  const range = new URLSearchParams({
    ...(from !== undefined && { start: from }),
    ...(to !== undefined && { end: to }),
  })
  return rest.get(`${pathOf(spaceId)}/transcript?${range}`)
}

/** The newest events, ascending: as many as are wanted, if there are so many. */
export async function lastEvents(
  client: Client,
  space_id: string,
  wanted: number,
  signal: AbortSignal,
): Promise<Event[]> {
  const pages: Event[][] = []
  let missing = wanted
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

/** The events after one, or of the whole history, that mention somebody. */
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
