import { oneOf, seededRandom } from '@collab-spaces/testing/history'

/** @import { Human, Service } from './service.mjs' */

export const LIMIT = 50

/**
 * Cursors here and there in the histories of some spaces, each with a full page after it.
 * @param {Service} service
 * @param {Human} human
 * @param {readonly string[]} spaces
 * @param {number} count
 */
export async function cursorsIn(service, human, spaces, count) {
  const chance = seededRandom(7)
  const wanted = Array.from({ length: count }, () => ({ space_id: oneOf(spaces, chance), share: chance() }))
  /** @type {{ space_id: string, event_id: string }[]} */
  const cursors = await service.query(
    `SELECT s.space_id, e.event_id
     FROM json_to_recordset($2::json) AS w(space_id text, share float8)
     JOIN spaces s ON s.tenant_id = $1 AND s.space_id = w.space_id
     JOIN events e ON e.tenant_id = $1 AND e.space_id = w.space_id
       AND e.position = 1 + floor(w.share * (s.head - $3::int))::bigint`,
    [human.scope, JSON.stringify(wanted), LIMIT],
  )
  return cursors
}

/** The request for the page after each cursor. @param {Human} human @param {Awaited<ReturnType<typeof cursorsIn>>} cursors */
export const pageRequests = (human, cursors) =>
  cursors.map(({ space_id, event_id }) => ({
    path: `/api/spaces/${space_id}/events?since=${event_id}&limit=${LIMIT}`,
    headers: { Authorization: `Bearer ${human.key}` },
  }))

/** @param {readonly { readonly length: number }[]} pages */
export function requireFull(pages) {
  if (pages.some((page) => page.length !== LIMIT)) throw new Error(`a page has not ${LIMIT} events`)
}

/** The cursor that a reader of what is to come begins at. @param {Service} service @param {Human} human @param {string} spaceId */
export async function newestEvent(service, human, spaceId) {
  const [newest] = await service.clientOf(human).event.list.query({ space_id: spaceId, tail: 'true', limit: '1' })
  if (newest === undefined) throw new Error(`${spaceId} has no event`)
  return newest
}
