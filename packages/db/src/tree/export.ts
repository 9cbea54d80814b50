import { TILE, tailLine, tileLine } from '@collab-spaces/merkle'
import type pg from 'pg'
import { type ByteString, byteStringOf } from '../log/byte-string.js'
import { PIECE_BYTES, PIECE_EVENTS } from '../log/page.js'
import { pulling } from '../log/pull.js'
import { placeOf, type TreeKey, type TreeName } from './key.js'
import { entriesIn } from './leaves.js'

/** The line before a redacted entry, equal to `redactedLine` of the files. */
const REDACTED = `coalesce('{"redacted":{"leaf_hash":"' || encode(leaf_hash, 'base64') || '","erasure_id":"' || erasure_id
  || '","erased_at":"' || erased_at || E'"}}\\n', '')`

/** Entries after a position, up to another one and to the size of a piece; at least one. */
const pieceOf = (tree: TreeName) => `
  SELECT string_agg(line, '' ORDER BY position) AS piece, max(position) AS last FROM (
    SELECT position, line, octet_length(line) AS size,
      sum(octet_length(line)) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) AS total
    FROM (
      SELECT position, ${REDACTED} || line || E'\\n' AS line
      FROM (SELECT $1::uuid AS tenant_id, $2::text AS space_id, $3::int8 AS after, $4::int8 AS until) r
      CROSS JOIN LATERAL (${entriesIn(tree)}) e
      ORDER BY position LIMIT ${PIECE_EVENTS}
    ) e
  ) e WHERE total <= ${PIECE_BYTES} OR total = size`

/**
 * The entries of a tree after a position, up to its size, with the marks after each tile and at the end, in pieces.
 * `marks` are those of its last entries, outside full tiles.
 */
export function exportPieces(
  pool: pg.Pool,
  key: TreeKey,
  start: number,
  { size: until, marks }: { readonly size: number; readonly marks: Buffer },
): AsyncIterable<ByteString> {
  let after = start
  let isOver = false
  return pulling(async () => {
    if (isOver) return null
    const tile = Math.floor(after / TILE)
    const end = Math.min(until, (tile + 1) * TILE)
    let text = ''
    if (after < end) {
      const { rows } = await pool.query<{ piece: ByteString | null; last: number | null }>({
        name: `export_${key.tree}`,
        text: pieceOf(key.tree),
        values: [key.tenantId, placeOf(key), after, end],
      })
      text = rows[0]?.piece ?? ''
      // If entries are missing, only the marks after them are left to send.
      after = rows[0]?.last ?? end
    }
    if (after === end && end === (tile + 1) * TILE) text += await tileEnd(pool, key, tile)
    if (after === until) {
      isOver = true
      if (until % TILE !== 0) text += byteStringOf(tailLine(marks))
    }
    return text as ByteString
  })
}

async function tileEnd(pool: pg.Pool, key: TreeKey, tile: number): Promise<ByteString> {
  const { rows } = await pool.query<{ hash: Buffer; marks: Buffer }>({
    name: 'tile',
    text: `SELECT hash, marks FROM log_tiles
           WHERE tenant_id = $1 AND space_id = $2 AND tree = $3 AND level = 1 AND index = $4`,
    values: [key.tenantId, placeOf(key), key.tree, tile],
  })
  const { hash = NOTHING, marks = NOTHING } = rows[0] ?? {}
  return byteStringOf(tileLine(tile, hash, marks))
}

const NOTHING = Buffer.alloc(0)
