import { Slices } from '@collab-spaces/fair'
import { HASH_BYTES, type Signer } from '@collab-spaces/merkle'
import type pg from 'pg'
import { isInService } from '../access/in-service.js'
import { arraysOf } from '../connection/columns.js'
import { inTransaction } from '../connection/connection.js'
import type { Querier } from '../connection/long-read.js'
import { notBeingDeleted } from '../erasure/erasure.js'
import { Edges } from './edges.js'
import { type Edge, edgeOf, type Growth, grown, type SealedTree, tiledSize } from './growth.js'
import { EPOCH, placeOf, type TreeKey } from './key.js'
import { leavesOf } from './leaves.js'

/** The maximum number of leaves of a tree sealed in one transaction. */
const RUN = 4_096
/**
 * The maximum number of leaves in all. Other trees wait for the next transaction, because PostgreSQL ends one that is
 * idle for ten seconds.
 */
const MAX = 16_384

/** Entries of the security log up to this long before the last sealing may have been committed after it. */
const LATE = '15 minutes'

export interface Sealing {
  /** Trees that have grown. */
  readonly sealed: readonly TreeKey[]
  /** Trees that are not sealed to their end yet. */
  readonly behind: readonly TreeKey[]
  /** The trees that were not signed, because the stored data differs from the sealed data. */
  readonly broken: readonly BrokenTree[]
}

export interface BrokenTree {
  readonly key: TreeKey
  readonly problem: string
}

interface ClaimedTree extends SealedTree {
  readonly head: number
  readonly sealedAt: Date | null
}

const KEYS = `unnest($1::uuid[], $2::text[], $3::text[]) AS k(tenant_id, space_id, tree)`

/** Whether the space exists. Locks it until the tree is created: a deletion waits, and then finds the tree. */
const HAS_SPACE =
  'EXISTS (SELECT FROM spaces s WHERE s.tenant_id = k.tenant_id AND s.space_id = k.space_id FOR KEY SHARE)'

/** A tree begins with its first entry, in a tenant that is wholly here. */
const BEGIN = `
  INSERT INTO log_trees (tenant_id, space_id, tree, epoch)
  SELECT k.*, ${EPOCH} FROM ${KEYS}
  WHERE ${isInService('k.tenant_id')} AND NOT EXISTS (SELECT FROM log_trees t WHERE (t.tenant_id, t.space_id, t.tree) = (k.tenant_id, k.space_id, k.tree))
    AND CASE k.tree
      WHEN 'events' THEN ${HAS_SPACE}
      WHEN 'decisions' THEN EXISTS (
        SELECT FROM decision_acts d WHERE d.tenant_id = k.tenant_id AND d.space_id = k.space_id) AND ${HAS_SPACE}
      ELSE true END
  ON CONFLICT DO NOTHING`

/** The stale trees that no other server is sealing. Skips spaces under deletion. */
const CLAIM = `
  SELECT t.tenant_id AS "tenantId", nullif(t.space_id, '') AS "spaceId", t.tree, t.epoch, t.size, t.frontier, t.marks, t.checkpoint,
    t.signed_by AS "signedBy", t.sealed_at AS "sealedAt", coalesce(h.head, 0) AS head
  FROM log_trees t CROSS JOIN LATERAL (SELECT CASE t.tree
    WHEN 'events' THEN (SELECT s.head FROM spaces s WHERE s.tenant_id = t.tenant_id AND s.space_id = t.space_id)
    WHEN 'decisions' THEN (SELECT max(d.position) FROM decision_acts d
      WHERE d.tenant_id = t.tenant_id AND d.space_id = t.space_id)
    END AS head) h
  WHERE (t.tenant_id, t.space_id, t.tree) IN (SELECT k.* FROM ${KEYS})
    AND (t.tree = 'audit' OR h.head > t.size)
    AND ${isInService('t.tenant_id')} AND ${notBeingDeleted('t')}
  ORDER BY t.tenant_id, t.space_id, t.tree
  FOR UPDATE OF t SKIP LOCKED`

/** Assigns positions to entries of the security log, in the order of discovery, and returns the last one. */
const PLACE = `
  WITH last AS (
    SELECT coalesce(max(position), 0) AS position FROM audit_positions WHERE tenant_id = $1
  ), found AS (
    SELECT a.entry_id, a.created_at FROM audit_entries a
    WHERE a.tenant_id = $1 AND ($2::timestamptz IS NULL OR a.created_at >= $2::timestamptz - interval '${LATE}')
      AND NOT EXISTS (SELECT FROM audit_positions p WHERE p.entry_id = a.entry_id)
    ORDER BY a.created_at, a.entry_id LIMIT ${RUN}
  ), placed AS (
    INSERT INTO audit_positions (tenant_id, position, entry_id)
    SELECT $1, last.position + row_number() OVER (ORDER BY created_at, entry_id), entry_id FROM found CROSS JOIN last
    RETURNING position
  )
  SELECT coalesce((SELECT max(position) FROM placed), last.position) AS head FROM last`

const WRITE = `
  WITH added AS (
    INSERT INTO log_tiles (tenant_id, space_id, tree, level, index, hash, marks)
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int2[], $5::int8[], $6::bytea[], $7::bytea[])
  )
  UPDATE log_trees t SET size = g.size, frontier = g.frontier, marks = g.marks, checkpoint = g.checkpoint,
    signed_by = $15, sealed_at = clock_timestamp()
  FROM unnest($8::uuid[], $9::text[], $10::text[], $11::int8[], $12::bytea[], $13::bytea[], $14::text[])
    AS g(tenant_id, space_id, tree, size, frontier, marks, checkpoint)
  WHERE t.tenant_id = g.tenant_id AND t.space_id = g.space_id AND t.tree = g.tree`

const columnsOf = (keys: readonly TreeKey[]) => [
  keys.map(({ tenantId }) => tenantId),
  keys.map(placeOf),
  keys.map(({ tree }) => tree),
]

/**
 * Seals the new entries of a few trees in one transaction: reads their hashes, stores those of full tiles, and signs the
 * new roots. Trees under sealing by another server are skipped. With `isWhole`, includes entries of the security log with
 * a very late commit.
 */
export function sealing(pool: pg.Pool) {
  const edges = new Edges()
  return async (signer: Signer, keys: readonly TreeKey[], isWhole: boolean): Promise<Sealing> => {
    const client = await pool.connect()
    try {
      const { growths, ...sealed } = await inTransaction(client, () => sealOn(client, edges, signer, keys, isWhole))
      client.release()
      for (const { tree, edge } of growths) edges.put(tree, edge)
      return sealed
    } catch (error) {
      // PostgreSQL rolls back an abandoned transaction.
      client.release(true)
      throw error
    }
  }
}

interface SealOutcome extends Sealing {
  readonly growths: readonly Growth[]
}

async function sealOn(
  client: Querier,
  edges: Edges,
  signer: Signer,
  keys: readonly TreeKey[],
  isWhole: boolean,
): Promise<SealOutcome> {
  await client.query({ name: 'begin_trees', text: BEGIN, values: columnsOf(keys) })
  const ahead: Ahead[] = []
  const behind: TreeKey[] = []
  let leavesAhead = 0
  for (const tree of await claim(client, keys, isWhole)) {
    if (leavesAhead >= MAX) {
      behind.push(tree.key)
      continue
    }
    const edge = edges.take(tree)
    const after = edge === null ? tiledSize(tree.size) : tree.size
    const until = Math.min(tree.head, after + RUN)
    leavesAhead += until - after
    ahead.push({ ...tree, edge, after, until })
  }
  const leaves = await leavesOf(client, ahead)
  const slices = new Slices()
  const growths: Growth[] = []
  const broken: BrokenTree[] = []
  for (const [index, tree] of ahead.entries()) {
    const growth = await growthOf(tree, leaves[index] as Buffer, signer, slices)
    await slices.next()
    if (typeof growth === 'string') broken.push({ key: tree.key, problem: growth })
    else {
      growths.push(growth)
      if (tree.until < tree.head) behind.push(tree.key)
    }
  }
  if (growths.length > 0) await write(client, growths, signer)
  return { sealed: growths.map(({ tree }) => tree.key), behind, broken, growths }
}

/** A tree and the leaves to read: those after its edge, or all outside full tiles. */
interface Ahead extends ClaimedTree {
  readonly edge: Edge | string | null
  readonly after: number
  readonly until: number
}

async function growthOf(tree: Ahead, joined: Buffer, signer: Signer, slices: Slices): Promise<Growth | string> {
  const { size, edge: known, after, until } = tree
  try {
    const sealed = (size - after) * HASH_BYTES
    const edge = known ?? edgeOf(tree, joined.subarray(0, sealed), signer.key)
    if (typeof edge === 'string') return edge
    if (joined.length !== (until - after) * HASH_BYTES) return `entries after position ${after} are missing`
    return await grown(tree, edge, joined.subarray(sealed), signer, slices)
  } catch (error) {
    if (error instanceof RangeError) return 'its tiles are not those of its size'
    throw error
  }
}

async function claim(client: Querier, keys: readonly TreeKey[], isWhole: boolean): Promise<readonly ClaimedTree[]> {
  const { rows } = await client.query<Omit<ClaimedTree, 'key'> & TreeKey>({
    name: 'claim_trees',
    text: CLAIM,
    values: columnsOf(keys),
  })
  const claimed: ClaimedTree[] = []
  for (const { tenantId, spaceId, tree, ...row } of rows) {
    const found: ClaimedTree = { ...row, key: { tenantId, spaceId, tree } }
    const own = tree === 'audit' ? { ...found, head: await placeEntries(client, found, isWhole) } : found
    // A truncated log is not ahead; verifiers detect it.
    if (own.head > own.size) claimed.push(own)
  }
  return claimed
}

async function placeEntries(client: Querier, { key, sealedAt }: ClaimedTree, isWhole: boolean): Promise<number> {
  const { rows } = await client.query<{ head: number }>({
    name: 'place_entries',
    text: PLACE,
    values: [key.tenantId, isWhole ? null : sealedAt],
  })
  return rows[0]?.head ?? 0
}

async function write(client: Querier, growths: readonly Growth[], signer: Signer): Promise<void> {
  const tiles = growths.flatMap(({ tree, tiles }) => tiles.map((tile) => ({ ...tile, key: tree.key })))
  const trees = growths.map(({ tree }) => tree)
  await client.query({
    name: 'write_trees',
    text: WRITE,
    values: [
      ...columnsOf(tiles.map(({ key }) => key)),
      ...arraysOf(tiles, 'level', 'index', 'hash', 'marks'),
      ...columnsOf(trees.map(({ key }) => key)),
      ...arraysOf(trees, 'size', 'frontier', 'marks', 'checkpoint'),
      signer.key,
    ],
  })
}
