import type { TenantId } from '@collab-spaces/domain'
import { Frontier, type Range, rangeHash, type Subtree, subtreesOf, TILE_HEIGHT } from '@collab-spaces/merkle'
import type pg from 'pg'
import { arraysOf } from '../connection/columns.js'
import type { Querier } from '../connection/long-read.js'
import type { Pools } from '../connection/pools.js'
import { auditsBehind, treesBehind } from './behind.js'
import { exportPieces } from './export.js'
import { EPOCH, placeOf, type TreeKey } from './key.js'
import { entriesIn, hashesOf, type LeafRange, leavesOf } from './leaves.js'
import { sealing } from './seal.js'

/** The sealed part of a tree. */
export interface TreeRecord {
  readonly key: TreeKey
  readonly epoch: number
  readonly size: number
  /** The first bytes of the hashes of the entries outside full tiles. */
  readonly marks: Buffer
  readonly checkpoint: string
  readonly signedBy: string
  readonly sealedAt: Date | null
}

/** An entry of a history. */
export interface EntryRecord {
  readonly position: number
  /** Its sealed text, as a line of an export. */
  readonly line: string
  /** Its original hash, and the record of its redaction; null unless it was redacted. */
  readonly redacted: { readonly leafHash: Buffer; readonly erasureId: string; readonly erasedAt: string } | null
}

export const treeStore = ({ requests, pages, long }: Pools) => ({
  /** Null before the first sealing. */
  find: (key: TreeKey): Promise<TreeRecord | null> => findTree(requests, key),

  /** The epoch of an empty history; null for others. */
  async emptyEpoch(key: TreeKey): Promise<number | null> {
    const { rows } = await requests.query<{ epoch: number }>({
      name: `empty_${key.tree}`,
      text: `SELECT coalesce((SELECT epoch FROM log_trees WHERE tenant_id = $1 AND space_id = $2 AND tree = '${key.tree}'),
               ${EPOCH}) AS epoch WHERE NOT EXISTS (${ANY_ENTRY[key.tree]})`,
      values: [key.tenantId, placeOf(key)],
    })
    return rows[0]?.epoch ?? null
  },

  /** The hashes of parts of a tree with only sealed leaves. */
  async hashes(key: TreeKey, ranges: readonly Range[]): Promise<Buffer[]> {
    const subtrees = ranges.map(subtreesOf)
    const found = await subtreeHashes(requests, key, subtrees.flat())
    let at = 0
    return subtrees.map((own) => {
      at += own.length
      return rangeHash(found.slice(at - own.length, at))
    })
  },

  /** The existing entries at given positions. */
  async entries(key: TreeKey, positions: readonly number[]): Promise<EntryRecord[]> {
    const { rows } = await requests.query({
      name: `tree_entries_${key.tree}`,
      text: `SELECT e.* FROM (SELECT $1::uuid AS tenant_id, $2::text AS space_id, p - 1 AS after, p AS until
             FROM unnest($3::int8[]) AS p) r CROSS JOIN LATERAL (${entriesIn(key.tree)}) e ORDER BY e.position`,
      values: [key.tenantId, placeOf(key), positions],
    })
    return rows.map(({ position, line, leaf_hash, erasure_id, erased_at }) => ({
      position,
      line,
      redacted: leaf_hash && { leafHash: leaf_hash, erasureId: erasure_id, erasedAt: erased_at },
    }))
  },

  /** An entry of the security log, with its position after its sealing. */
  async auditEntry(
    tenantId: TenantId,
    entryId: string,
  ): Promise<{ readonly entryId: string; readonly position: number | null } | null> {
    const { rows } = await requests.query<{ entryId: string; position: number | null }>({
      name: 'audit_entry',
      text: `SELECT a.entry_id AS "entryId", p.position FROM audit_entries a
             LEFT JOIN audit_positions p ON p.entry_id = a.entry_id WHERE a.tenant_id = $1 AND a.entry_id = $2`,
      values: [tenantId, entryId],
    })
    return rows[0] ?? null
  },

  /** The positions of the acts about a decision. */
  async positionsOfDecision({ tenantId, spaceId }: TreeKey, decisionId: string): Promise<number[]> {
    const { rows } = await requests.query<{ position: number }>(
      `SELECT position FROM decision_acts WHERE tenant_id = $1 AND space_id = $2 AND decision_id = $3 ORDER BY position`,
      [tenantId, spaceId, decisionId],
    )
    return rows.map(({ position }) => position)
  },

  /** The hashes of the subtrees of a tree at an earlier size. */
  async frontierAt(key: TreeKey, size: number): Promise<Buffer[]> {
    return size === 0 ? [] : subtreeHashes(requests, key, subtreesOf({ first: 0, end: size }))
  },

  /** The entries after a position, with the marks between them, as bytes. */
  pieces: (tree: TreeRecord, after: number) => exportPieces(pages, tree.key, after, tree),

  seal: sealing(long),
  behind: (): Promise<TreeKey[]> => treesBehind(long),
  auditsBehind: (): Promise<TreeKey[]> => auditsBehind(long),
})

/** Entries of the security log exist before their positions. `$2` is no space there. */
const ANY_ENTRY: Readonly<Record<TreeKey['tree'], string>> = {
  events: 'SELECT FROM events WHERE tenant_id = $1 AND space_id = $2',
  decisions: 'SELECT FROM decision_acts WHERE tenant_id = $1 AND space_id = $2',
  audit: 'SELECT FROM audit_entries WHERE tenant_id = $1',
}

async function findTree(pool: pg.Pool, key: TreeKey): Promise<TreeRecord | null> {
  const { rows } = await pool.query<Omit<TreeRecord, 'key'>>({
    name: 'tree',
    text: `SELECT epoch, size, marks, checkpoint, signed_by AS "signedBy", sealed_at AS "sealedAt" FROM log_trees
           WHERE tenant_id = $1 AND space_id = $2 AND tree = $3 AND checkpoint IS NOT NULL`,
    values: [key.tenantId, placeOf(key), key.tree],
  })
  return rows[0] ? { key, ...rows[0] } : null
}

const rootOf = (hashes: Iterable<Buffer>): Buffer => {
  const frontier = new Frontier()
  for (const hash of hashes) frontier.append(hash)
  return frontier.root
}

/** The tiles of one level in a subtree. */
interface TileRange {
  readonly level: number
  readonly first: number
  readonly end: number
}

const tilesOf = ({ height, index }: Subtree): TileRange => {
  const count = 2 ** (height % TILE_HEIGHT)
  return { level: Math.floor(height / TILE_HEIGHT), first: index * count, end: (index + 1) * count }
}

/** The hashes of subtrees: from the entries for those smaller than a tile, from tiles for others. */
async function subtreeHashes(pool: Querier, key: TreeKey, subtrees: readonly Subtree[]): Promise<Buffer[]> {
  const small = subtrees.filter(({ height }) => height < TILE_HEIGHT)
  const ranges: LeafRange[] = small.map(({ height, index }) => ({
    key,
    after: index * 2 ** height,
    until: (index + 1) * 2 ** height,
  }))
  const leaves = ranges.length === 0 ? [] : await leavesOf(pool, ranges)
  const found = new Map<Subtree, Buffer>()
  for (const [index, subtree] of small.entries()) found.set(subtree, rootOf(hashesOf(leaves[index] as Buffer)))
  const large = subtrees.filter(({ height }) => height >= TILE_HEIGHT)
  const tiles = large.length === 0 ? [] : await tileHashes(pool, key, large.map(tilesOf))
  for (const [index, subtree] of large.entries()) found.set(subtree, rootOf(tiles[index] as Buffer[]))
  return subtrees.map((subtree) => found.get(subtree) as Buffer)
}

async function tileHashes(pool: Querier, key: TreeKey, ranges: readonly TileRange[]): Promise<Buffer[][]> {
  const { rows } = await pool.query<{ ordinal: number; hash: Buffer }>({
    name: 'tile_hashes',
    text: `SELECT r.ordinal::int, l.hash FROM unnest($4::int2[], $5::int8[], $6::int8[])
             WITH ORDINALITY AS r(level, first, until, ordinal)
           JOIN log_tiles l ON l.tenant_id = $1 AND l.space_id = $2 AND l.tree = $3
             AND l.level = r.level AND l.index >= r.first AND l.index < r.until
           ORDER BY r.ordinal, l.index`,
    values: [key.tenantId, placeOf(key), key.tree, ...arraysOf(ranges, 'level', 'first', 'end')],
  })
  const found: Buffer[][] = ranges.map(() => [])
  for (const { ordinal, hash } of rows) found[ordinal - 1]?.push(hash)
  return found
}
