import { HASH_BYTES } from '@collab-spaces/merkle'
import type { Querier } from '../connection/long-read.js'
import { placeOf, type TreeKey, type TreeName } from './key.js'

/** The maximum number of entries erased by one statement of bulk redaction: `BATCH` of `old-events.ts` in operator. */
const ERASED_AT_ONCE = 1_000

const erasedAt = `to_char(x.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS erased_at`
const IS_IN_RANGE = 'x.tenant_id = r.tenant_id AND x.space_id = r.space_id'

/** The redacted entries in a range `r`: the original hash, and the record of the redaction. */
const ERASED: Readonly<Record<TreeName, string>> = {
  events: `
    SELECT v.position, x.leaf_hash, x.erasure_id, ${erasedAt}
    FROM erasures x JOIN events v ON v.tenant_id = x.tenant_id AND v.space_id = x.space_id AND v.event_id = x.event_id
    WHERE ${IS_IN_RANGE} AND x.leaf_hash IS NOT NULL
    UNION ALL
    SELECT h.position::int8, decode(h.hash, 'hex'), x.erasure_id, ${erasedAt}
    FROM erasures x CROSS JOIN LATERAL jsonb_each_text(x.event_hashes) AS h(position, hash)
    WHERE ${IS_IN_RANGE} AND x.noun = 'events'
      AND x.subject_id::int8 > r.after AND x.subject_id::int8 <= r.until + ${ERASED_AT_ONCE}`,
  decisions: `
    SELECT h.position::int8, decode(h.hash, 'hex') AS leaf_hash, x.erasure_id, ${erasedAt}
    FROM erasures x CROSS JOIN LATERAL jsonb_each_text(x.act_hashes) AS h(position, hash)
    WHERE ${IS_IN_RANGE} AND x.act_hashes IS NOT NULL`,
  audit: `SELECT 0::int8 AS position, NULL::bytea AS leaf_hash, NULL::uuid AS erasure_id, NULL AS erased_at WHERE false`,
}

/**
 * The sealed text of a row `e` of events or acts: the input of the hash, and a line of an export. The nonce blinds the
 * hash, so that an erased text cannot be guessed from it.
 */
const SEALED = `'{"nonce":"' || encode(e.nonce, 'hex') || '","entry":' || e.wire || '}'`

/** The hash of a sealed text as a leaf of a Merkle tree. */
const leafOf = (line: string) => `sha256('\\x00'::bytea || convert_to(${line}, 'UTF8'))`

/** The leaf of a row `e` of events or acts. */
export const LEAF = leafOf(SEALED)

/** The sealed texts of a range `r`. */
const STORED: Readonly<Record<TreeName, string>> = {
  events: `SELECT e.tenant_id, e.space_id, e.position, ${SEALED} AS line FROM events e`,
  decisions: `SELECT e.tenant_id, e.space_id, e.position, ${SEALED} AS line FROM decision_acts e`,
  audit: `SELECT p.tenant_id, '' AS space_id, p.position, '{"entry":' || audit_wire(e) || '}' AS line
    FROM audit_positions p JOIN audit_entries e ON e.entry_id = p.entry_id AND e.tenant_id = p.tenant_id`,
}

/** The entries of a tree in a range `r` of a tenant and a space, with the positions `after` and `until`. */
export const entriesIn = (tree: TreeName) => `
  SELECT e.position, e.line, x.leaf_hash, x.erasure_id, x.erased_at
  FROM (${STORED[tree]}) e
  LEFT JOIN LATERAL (${ERASED[tree]}) x ON x.position = e.position
  WHERE e.tenant_id = r.tenant_id AND e.space_id = r.space_id AND e.position > r.after AND e.position <= r.until`

/** The leaf of an entry `l` at its sealing. */
const SEALED_LEAF = `coalesce(l.leaf_hash, ${leafOf('l.line')})`

/** Up to the first missing one. */
const hashesIn = (tree: TreeName) => `
  SELECT r.ordinal::int, l.hashes
  FROM unnest($1::uuid[], $2::text[], $3::int8[], $4::int8[])
    WITH ORDINALITY AS r(tenant_id, space_id, after, until, ordinal)
  CROSS JOIN LATERAL (
    SELECT string_agg(${SEALED_LEAF}, ''::bytea ORDER BY l.position) AS hashes
    FROM (SELECT e.*, row_number() OVER (ORDER BY e.position) AS number FROM (${entriesIn(tree)}) e) l
    WHERE l.position = r.after + l.number
  ) l
  WHERE l.hashes IS NOT NULL`

/** A range of positions of a tree: after one, up to another. */
export interface LeafRange {
  readonly key: TreeKey
  readonly after: number
  readonly until: number
}

/** The joined hashes of each range of leaves; fewer than the range if one is missing. */
export async function leavesOf(connection: Querier, ranges: readonly LeafRange[]): Promise<Buffer[]> {
  const found: Buffer[] = ranges.map(() => Buffer.alloc(0))
  for (const tree of new Set(ranges.map(({ key }) => key.tree))) {
    const own = ranges.map((range, index) => ({ ...range, index })).filter(({ key }) => key.tree === tree)
    const { rows } = await connection.query<{ ordinal: number; hashes: Buffer }>({
      name: `leaves_${tree}`,
      text: hashesIn(tree),
      values: [
        own.map(({ key }) => key.tenantId),
        own.map(({ key }) => placeOf(key)),
        own.map(({ after }) => after),
        own.map(({ until }) => until),
      ],
    })
    for (const { ordinal, hashes } of rows) {
      const range = own[ordinal - 1]
      if (range) found[range.index] = hashes
    }
  }
  return found
}

/** Splits joined hashes. */
export function* hashesOf(joined: Buffer): Generator<Buffer> {
  for (let at = 0; at < joined.length; at += HASH_BYTES) yield joined.subarray(at, at + HASH_BYTES)
}
