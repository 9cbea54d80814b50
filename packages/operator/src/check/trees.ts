import {
  entriesIn,
  hashesOf,
  IN_SERVICE,
  leavesOf,
  notBeingDeleted,
  placeOf,
  type SealedTree,
  signatureProblem,
  type TreeKey,
  tiledSize,
  timestamp,
} from '@collab-spaces/db'
import {
  Frontier,
  firstDifference,
  isContentErased,
  MARK_BYTES,
  markOf,
  parseCheckpoint,
  TILE,
  TILE_HEIGHT,
} from '@collab-spaces/merkle'
import pg from 'pg'
import { rowsOf } from '../rows/rows.js'
import type { Problem } from './history.js'
import { survived } from './survived.js'
import { isWhole } from './whole.js'

/** The batch size for hashes of entries. */
const RUN = 16 * TILE

/** The batch size for trees. */
const SOME = 100

const TREES = `
  SELECT tenant_id AS "tenantId", nullif(space_id, '') AS "spaceId", tree, epoch, size, frontier, marks, checkpoint,
    signed_by AS "signedBy"
  FROM log_trees t WHERE size > 0 AND (tenant_id, space_id, tree) > ($1, $2, $3) AND ${isWhole('t')}
  ORDER BY tenant_id, space_id, tree LIMIT ${SOME}`

type TreeRow = TreeKey & Omit<SealedTree, 'key'>

/** All sealed histories, except those of incomplete tenants and spaces. */
export async function* storedTrees(client: pg.Client): AsyncGenerator<SealedTree> {
  let last: readonly string[] = ['00000000-0000-0000-0000-000000000000', '', '']
  for (;;) {
    const { rows }: pg.QueryResult<TreeRow> = await client.query(TREES, [...last])
    for (const { tenantId, spaceId, tree, ...row } of rows) {
      const key = { tenantId, spaceId, tree }
      yield { ...row, key }
      last = [tenantId, placeOf(key), tree]
    }
    if (rows.length < SOME) return
  }
}

/**
 * Checks each history against its newest checkpoint, and reports the first different entry. `key` is the public signing
 * key of this installation, if known. Returns the number of entries.
 */
export async function checkTrees(
  client: pg.Client,
  key: string | null,
  report: (problem: Problem) => void,
  signal: AbortSignal,
): Promise<number> {
  let entries = 0
  for await (const tree of storedTrees(client)) {
    const tell = ({ problem }: Problem) => report(problemOf(tree.key, problem))
    await survived(client, 'it', tell, async () => {
      const problem = await problemIn(client, tree, key ?? tree.signedBy ?? '', signal)
      if (problem !== null) tell({ problem })
    })
    entries += tree.size
  }
  const { rows } = await client.query<TreeKey & { readonly position: number }>(LEFT_OUT)
  for (const { position, ...key } of rows) {
    report(problemOf(key, `position ${position} is not sealed, and what came later elsewhere is`))
  }
  return entries
}

/** Servers seal a history a second after a new entry, and concurrent entries elsewhere not much later. */
const MUCH_LATER = '5 minutes'

/**
 * The first overdue unsealed entries: much later entries elsewhere are sealed. By the clock of the database, the last
 * entries before a stop of all servers would be overdue, too.
 */
const LEFT_OUT = `
  WITH due AS (SELECT max(sealed_at) - interval '${MUCH_LATER}' AS until FROM log_trees),
    here AS (SELECT tenant_id FROM tenants WHERE status ${IN_SERVICE})
  SELECT s.tenant_id AS "tenantId", s.space_id AS "spaceId", 'events' AS tree, e.position
  FROM spaces s JOIN here USING (tenant_id)
  LEFT JOIN log_trees t ON t.tenant_id = s.tenant_id AND t.space_id = s.space_id AND t.tree = 'events'
  JOIN events e ON e.tenant_id = s.tenant_id AND e.space_id = s.space_id AND e.position = coalesce(t.size, 0) + 1
  CROSS JOIN due WHERE e.occurred_at < due.until AND ${notBeingDeleted('s')}
  UNION ALL
  SELECT a.tenant_id, a.space_id, 'decisions', a.position
  FROM decision_acts a JOIN here USING (tenant_id)
  LEFT JOIN log_trees t ON t.tenant_id = a.tenant_id AND t.space_id = a.space_id AND t.tree = 'decisions'
  CROSS JOIN due
  WHERE a.position = coalesce(t.size, 0) + 1
    AND substring(a.wire FROM '"created_at":"([^"]*)"') COLLATE "C" < ${timestamp('due.until')}
    AND ${notBeingDeleted('a')}
  UNION ALL
  SELECT tenant_id, NULL, 'audit', min(position) FROM (
    SELECT a.tenant_id, coalesce(t.size, 0) + 1 AS position
    FROM audit_entries a JOIN here USING (tenant_id)
    LEFT JOIN log_trees t ON t.tenant_id = a.tenant_id AND t.space_id = '' AND t.tree = 'audit'
    LEFT JOIN audit_positions p ON p.entry_id = a.entry_id
    CROSS JOIN due WHERE a.created_at < due.until AND (p.position IS NULL OR p.position > coalesce(t.size, 0))
  ) a GROUP BY tenant_id`

/** The difference between a tree and the signature of this key, if any: checks the signature and every entry. */
export const problemIn = async (
  client: pg.Client,
  tree: SealedTree,
  key: string,
  signal: AbortSignal,
): Promise<string | null> =>
  signatureProblem(tree, key) ??
  (await contentProblem(client, tree, signal)) ??
  (await redactionProblem(client, tree, signal))

const NAMES = { events: 'events', decisions: 'acts', audit: 'security log' } as const

const problemOf = ({ tenantId, spaceId, tree }: TreeKey, problem: string): Problem => ({
  tenant_id: tenantId,
  ...(spaceId !== null && { space_id: spaceId }),
  problem: `${NAMES[tree]} as sealed: ${problem}`,
})

/** The problem with the first entry that differs from its seal. */
async function contentProblem(client: pg.Client, stored: SealedTree, signal: AbortSignal): Promise<string | null> {
  const { key, size } = stored
  const frontier = new Frontier()
  const full: Buffer[] = []
  const higher: HigherTile[] = []
  let tiled = Buffer.alloc(0)
  for (let after = 0; after < size; after += RUN) {
    signal.throwIfAborted()
    const until = Math.min(size, after + RUN)
    const [joined = Buffer.alloc(0)] = await leavesOf(client, [{ key, after, until }])
    const leaves = [...hashesOf(joined)]
    for (const leaf of leaves) {
      frontier.append(leaf, (height, index, hash) => {
        if (height === TILE_HEIGHT) full.push(hash)
        else if (height % TILE_HEIGHT === 0) higher.push({ level: height / TILE_HEIGHT, index, hash })
      })
      if (frontier.size === tiledSize(size)) tiled = Buffer.concat(frontier.hashes)
    }
    const problem = await tilesProblem(client, stored, { after, until, leaves, full: full.splice(0) })
    if (problem !== null) return problem
    if (leaves.length < until - after) return `position ${after + leaves.length + 1} is missing`
  }
  if (!parseCheckpoint(stored.checkpoint ?? '')?.root.equals(frontier.root)) {
    return `one of positions 1 to ${size} is not what was sealed, and which cannot be told`
  }
  if (!tiled.equals(stored.frontier)) return 'its edge, from which it goes on, is not that of its entries'
  return higherProblem(client, stored, higher)
}

/** The hash of enough tiles for one of a higher level. */
interface HigherTile {
  readonly level: number
  readonly index: number
  readonly hash: Buffer
}

/** Checks the tiles used only by proofs: all of higher levels, and none beyond the size. */
async function higherProblem(
  client: pg.Client,
  { key, size }: SealedTree,
  expected: readonly HigherTile[],
): Promise<string | null> {
  const { rows } = await client.query<HigherTile>(
    `SELECT level, index, hash FROM log_tiles WHERE tenant_id = $1 AND space_id = $2 AND tree = $3
       AND (level > 1 OR index >= $4)`,
    [key.tenantId, placeOf(key), key.tree, Math.floor(size / TILE)],
  )
  const nameOf = ({ level, index }: HigherTile) => `${level}/${index}`
  const stored = new Map(rows.map((row) => [nameOf(row), row.hash]))
  const different = expected.find((tile) => !stored.get(nameOf(tile))?.equals(tile.hash))
  if (different) return `its tile ${nameOf(different)} is not that of its entries`
  const wanted = new Set(expected.map(nameOf))
  const beyond = rows.find((row) => !wanted.has(nameOf(row)))
  return beyond ? `its tile ${nameOf(beyond)} is beyond its end` : null
}

/** The hash of a redacted entry is the original one, whatever its current content. */
async function redactionProblem(
  client: pg.Client,
  { key, size }: SealedTree,
  signal: AbortSignal,
): Promise<string | null> {
  const range = [key.tenantId, placeOf(key)].map((value) => pg.escapeLiteral(value))
  const redacted = rowsOf(
    client,
    `SELECT e.position, e.line
     FROM (SELECT ${range[0]}::uuid AS tenant_id, ${range[1]} AS space_id, 0::int8 AS after, ${size}::int8 AS until) r
     CROSS JOIN LATERAL (${entriesIn(key.tree)}) e WHERE e.leaf_hash IS NOT NULL ORDER BY e.position`,
  )
  for await (const [position, line] of redacted) {
    signal.throwIfAborted()
    if (!isContentErased(key.tree, line as string))
      return `position ${position} should be redacted, and still says something`
  }
  return null
}

interface ReadRange {
  readonly after: number
  readonly until: number
  readonly leaves: readonly Buffer[]
  /** The hashes of its full tiles. */
  readonly full: readonly Buffer[]
}

async function tilesProblem(client: pg.Client, stored: SealedTree, read: ReadRange): Promise<string | null> {
  const { after, until, leaves, full } = read
  const { rows } = await client.query<{ index: number; hash: Buffer; marks: Buffer }>(
    `SELECT index, hash, marks FROM log_tiles WHERE tenant_id = $1 AND space_id = $2 AND tree = $3 AND level = 1
       AND index >= $4 AND index < $5 ORDER BY index`,
    [stored.key.tenantId, placeOf(stored.key), stored.key.tree, after / TILE, Math.ceil(until / TILE)],
  )
  const tiles = new Map(rows.map(({ index, ...tile }) => [index, tile]))
  for (let first = after; first < until; first += TILE) {
    const isFull = first + TILE <= until
    const tile = tiles.get(first / TILE)
    if (isFull && !tile) return `the tile of positions ${first + 1} to ${first + TILE} is missing`
    const marks = Buffer.concat(leaves.slice(first - after, first - after + TILE).map(markOf))
    const expected = isFull && tile ? tile.marks : stored.marks
    const different = firstDifference(marks, expected)
    if (different !== -1) return `position ${first + different + 1} is not what was sealed`
    if (marks.length < expected.length) return `position ${first + marks.length / MARK_BYTES + 1} is missing`
    if (isFull && tile && !full[(first - after) / TILE]?.equals(tile.hash)) {
      return `one of positions ${first + 1} to ${first + TILE} is not what was sealed`
    }
  }
  return null
}
