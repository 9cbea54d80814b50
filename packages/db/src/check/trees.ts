import type { Scope } from '@collab-spaces/domain'
import {
  Frontier,
  firstDifference,
  MARK_BYTES,
  markOf,
  openNote,
  originOf,
  parseCheckpoint,
  TILE,
  TILE_HEIGHT,
} from '@collab-spaces/merkle'
import type pg from 'pg'
import type { TreeKey } from '../tree/key.js'
import { hashesOf, leavesOf } from '../tree/leaves.js'
import type { Problem } from './history.js'

/** Entries whose hashes are read at once. */
const RUN = 16 * TILE

interface StoredTree {
  readonly scope: Scope
  readonly place: string
  readonly tree: TreeKey['tree']
  readonly epoch: number
  readonly size: string
  readonly marks: Buffer
  readonly checkpoint: string | null
  readonly signedBy: string | null
}

const TREES = `
  SELECT tenant_id AS scope, space_id AS place, tree, epoch, size, marks, checkpoint, signed_by AS "signedBy"
  FROM log_trees t WHERE size > 0 AND (tenant_id, space_id, tree) > ($1, $2, $3)
    AND NOT EXISTS (SELECT FROM erasures e WHERE e.tenant_id = t.tenant_id AND e.space_id = t.space_id
      AND e.event_id IS NULL AND e.completed_at IS NULL)
  ORDER BY tenant_id, space_id, tree LIMIT 100`

/**
 * Looks whether each history still is what its newest checkpoint says, and says which of its entries is not. `key` is the
 * public key that this installation signs with, if it is known. Returns how many entries there were.
 */
export async function checkTrees(
  client: pg.Client,
  key: string | null,
  report: (problem: Problem) => void,
  signal: AbortSignal,
): Promise<number> {
  let entries = 0
  let last: readonly [string, string, string] = ['00000000-0000-0000-0000-000000000000', '', '']
  for (;;) {
    const { rows } = await client.query<StoredTree>(TREES, [...last])
    for (const tree of rows) {
      signal.throwIfAborted()
      const problem = signatureProblem(tree, key) ?? (await contentProblem(client, tree, signal))
      if (problem !== null) report(problemOf(tree, problem))
      entries += Number(tree.size)
    }
    const end = rows.at(-1)
    if (!end) return entries
    last = [end.scope, end.place, end.tree]
  }
}

const NAMES = { events: 'events', decisions: 'acts', audit: 'security log' } as const

const problemOf = ({ scope, place, tree }: StoredTree, problem: string): Problem => ({
  tenant_id: scope,
  ...(place !== '' && { space_id: place }),
  problem: `${NAMES[tree]} as sealed: ${problem}`,
})

function signatureProblem({ checkpoint, signedBy, ...tree }: StoredTree, key: string | null): string | null {
  if (checkpoint === null || signedBy === null || openNote(checkpoint, signedBy) === null) {
    return 'its checkpoint is not signed'
  }
  if (key !== null && signedBy !== key) return `its checkpoint is signed with another key (${signedBy})`
  const says = parseCheckpoint(checkpoint)
  const { scope: tenantId, place, tree: name, epoch } = tree
  const origin = originOf({ tenantId, spaceId: place === '' ? null : place, tree: name, epoch })
  if (says?.origin === origin && says.size === Number(tree.size)) return null
  return `its checkpoint is of another log (${says?.origin}, ${says?.size} entries)`
}

/** What is wrong with the first entry that is not what was sealed. */
async function contentProblem(client: pg.Client, stored: StoredTree, signal: AbortSignal): Promise<string | null> {
  const { scope, place, tree } = stored
  const key: TreeKey = { scope, spaceId: place === '' ? null : place, tree }
  const size = Number(stored.size)
  const frontier = new Frontier()
  const full: Buffer[] = []
  for (let after = 0; after < size; after += RUN) {
    signal.throwIfAborted()
    const until = Math.min(size, after + RUN)
    const [joined = Buffer.alloc(0)] = await leavesOf(client, [{ key, after, until }])
    const leaves = [...hashesOf(joined)]
    for (const leaf of leaves)
      frontier.append(leaf, (height, _, hash) => {
        if (height === TILE_HEIGHT) full.push(hash)
      })
    const problem = await tilesProblem(client, stored, { after, until, leaves, full: full.splice(0) })
    if (problem !== null) return problem
    if (leaves.length < until - after) return `position ${after + leaves.length + 1} is missing`
  }
  if (parseCheckpoint(stored.checkpoint ?? '')?.root.equals(frontier.root)) return null
  return `one of positions 1 to ${size} is not what was sealed, and which cannot be told`
}

interface Read {
  readonly after: number
  readonly until: number
  readonly leaves: readonly Buffer[]
  /** The hashes of the full tiles among them. */
  readonly full: readonly Buffer[]
}

async function tilesProblem(client: pg.Client, stored: StoredTree, read: Read): Promise<string | null> {
  const { after, until, leaves, full } = read
  const { rows } = await client.query<{ index: string; hash: Buffer; marks: Buffer }>(
    `SELECT index, hash, marks FROM log_tiles WHERE tenant_id = $1 AND space_id = $2 AND tree = $3 AND level = 1
       AND index >= $4 AND index < $5 ORDER BY index`,
    [stored.scope, stored.place, stored.tree, after / TILE, Math.ceil(until / TILE)],
  )
  const tiles = new Map(rows.map(({ index, ...tile }) => [Number(index), tile]))
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
