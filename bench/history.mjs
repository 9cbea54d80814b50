import { randomBytes } from 'node:crypto'
import { piecesOf } from '../packages/domain/dist/index.js'
import { random, text } from './words.mjs'

/**
 * A long history, written past the API: a million events in one tenant and half a million in twenty others, over
 * thirty days, in the order of time, so that the tenants lie among each other on the disk as they do in life.
 */

export const BIG = 'big'
export const SMALL_SPACES = 50
export const OTHER_TENANTS = 20
/** A word that is common with the other tenants and absent here. */
export const ELSEWHERE = 'zizizix'

const DAYS_MS = 30 * 86_400_000
const BATCH = 5_000
const AT_ONCE = 2
const SPEAKERS = 40

const INSERT = `
  INSERT INTO events (tenant_id, space_id, position, event_id, occurred_at, speaker_id, posted_by, wire, wire_version, terms)
  SELECT e.tenant_id, e.space_id, e.position, e.event_id, e.occurred_at, e.speaker_id, e.posted_by, e.wire, 1,
    to_tsvector('spaces', e.wire::json ->> 'text') || coalesce(array_to_tsvector(string_to_array(e.pieces, ' ')), ''::tsvector)
  FROM json_to_recordset($1::json) AS e(tenant_id uuid, space_id text, position bigint, event_id uuid,
    occurred_at timestamptz, speaker_id text, posted_by text, wire text, pieces text)`

/** Fills the spaces `big`, `small-…` of one tenant and `other` of each of the others. The spaces must be there. */
export async function writeHistory(pool, here, others, { events, elsewhere }) {
  const chance = random(1)
  const total = events + elsewhere
  const end = Date.now() - 1_000
  const heads = new Map()
  const index = await definitionOf(pool, 'events_search_keys_idx')
  await pool.query('DROP INDEX events_search_keys_idx')

  const batches = (function* () {
    for (let from = 0; from < total; from += BATCH) {
      const rows = []
      for (let i = from; i < Math.min(from + BATCH, total); i++) {
        const isHere = chance() < events / total
        const owner = isHere ? here : others[Math.floor(chance() * others.length)]
        const small = `small-${Math.floor(chance() * SMALL_SPACES)}`
        const spaceId = isHere ? (chance() < 0.7 ? BIG : small) : 'other'
        const key = `${owner.tenantId}/${spaceId}`
        const position = (heads.get(key)?.head ?? 0) + 1
        const moment = end - Math.floor(DAYS_MS * (1 - i / total))
        heads.set(key, { ...owner, spaceId, head: position, moment })
        rows.push(row(owner, spaceId, position, moment, isHere ? text(chance) : `${text(chance)} ${ELSEWHERE}`, chance))
      }
      yield rows
    }
  })()
  const write = async () => {
    for (const rows of batches) await pool.query({ name: 'history', text: INSERT, values: [JSON.stringify(rows)] })
  }
  await Promise.all(Array.from({ length: AT_ONCE }, write))

  for (const { tenantId, spaceId, head, moment } of heads.values()) {
    await pool.query(
      'UPDATE spaces SET head = $3, last_event_at = $4, started_at = $5 WHERE tenant_id = $1 AND space_id = $2',
      [tenantId, spaceId, head, new Date(moment), new Date(end - DAYS_MS)],
    )
  }
  const client = await pool.connect()
  await client.query("SET statement_timeout = 0; SET maintenance_work_mem = '512MB'")
  await client.query(index)
  await client.query('VACUUM (ANALYZE) events')
  client.release(true)
}

async function definitionOf(pool, index) {
  const { rows } = await pool.query('SELECT pg_get_indexdef($1::regclass) AS definition', [index])
  return rows[0].definition
}

function row({ tenantId, actorId }, spaceId, position, moment, said, chance) {
  const eventId = uuid(moment)
  const speakerId = `speaker-${Math.floor(chance() * SPEAKERS)}`
  const timestamp = new Date(moment).toISOString()
  return {
    tenant_id: tenantId,
    space_id: spaceId,
    position,
    event_id: eventId,
    occurred_at: timestamp,
    speaker_id: speakerId,
    posted_by: actorId,
    wire: JSON.stringify({
      event_id: eventId,
      space_id: spaceId,
      speaker_id: speakerId,
      speaker_name: speakerId,
      speaker_type: 'human',
      text: said,
      timestamp,
      parent_event_id: null,
      references: [],
      thread_id: null,
      metadata: null,
      posted_by: actorId,
    }),
    pieces: piecesOf(said)?.join(' ') ?? null,
  }
}

/** Of version 7: ids of one time lie together, as those of real events do. */
function uuid(moment) {
  const hex = moment.toString(16).padStart(12, '0') + randomBytes(10).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}
