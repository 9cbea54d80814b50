import { oneOf, seededRandom } from '@collab-spaces/testing/history'
import type { Human, Service } from '../service/service.js'
import { fetchAll, type Request } from './request.js'

export const LIMIT = 50

/** The event before a page. */
export interface Cursor {
  readonly space_id: string
  readonly event_id: string
}

/** Returns random cursors in the histories of some spaces, each with a full page after it. */
export function cursorsIn(service: Service, human: Human, spaces: readonly string[], count: number): Promise<Cursor[]> {
  const random = seededRandom(7)
  const wanted = Array.from({ length: count }, () => ({ space_id: oneOf(spaces, random), share: random() }))
  return service.query<Cursor>(
    `SELECT s.space_id, e.event_id
     FROM json_to_recordset($2::json) AS w(space_id text, share float8)
     JOIN spaces s ON s.tenant_id = $1 AND s.space_id = w.space_id
     JOIN events e ON e.tenant_id = $1 AND e.space_id = w.space_id
       AND e.position = 1 + floor(w.share * (s.head - $3::int))::bigint`,
    [human.tenantId, JSON.stringify(wanted), LIMIT],
  )
}

/** Returns the requests for the page after each cursor. */
export const pageRequests = (human: Human, cursors: readonly Cursor[]): Request[] =>
  cursors.map(({ space_id, event_id }) => ({
    path: `/api/spaces/${space_id}/events?since=${event_id}&limit=${LIMIT}`,
    headers: { Authorization: `Bearer ${human.key}` },
  }))

/** Sends each page request once. Throws on a refusal or a page that is not full. */
export async function requireFullPages(url: string, requests: readonly Request[]): Promise<void> {
  const pages = await fetchAll<unknown[]>(url, requests)
  if (pages.some(({ length }) => length !== LIMIT)) throw new Error(`a page does not have ${LIMIT} events`)
}

/** Returns the cursor for a reader of future events. */
export async function newestEvent(service: Service, human: Human, spaceId: string): Promise<Cursor> {
  const [newest] = await service.clientOf(human).event.list.query({ space_id: spaceId, tail: true, limit: 1 })
  if (newest === undefined) throw new Error(`${spaceId} has no event`)
  return newest
}
