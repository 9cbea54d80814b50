import { inTransaction } from '@collab-spaces/db'
import pg from 'pg'
import { type ComparedTable, differing, PIECES, requireAllEqual, requireEqual } from './compare.js'
import { type ContentRoute, compareContents, placeContents } from './contents.js'
import { explainRefusal } from './error.js'
import { add, addEvents, carry, deleteStale, putInPlace, requireOwn, requireSame, stageOf, TENANTS } from './stage.js'
import {
  AUDIT,
  BY_POSITION,
  type CarriedTables,
  carriedRows,
  list,
  type Range,
  rowsIn,
  rowsOf,
  STATE,
  THREADS,
  tableOf,
  threadsIn,
} from './tables.js'

/** The source and the destination, and the data between them. */
export interface Route extends ContentRoute {
  /** Spaces with history removed at the destination, which a server there may have read. */
  readonly erased: Set<string>
}

/** The events per transaction. */
const BATCH = 5_000
/** The maximum number of spaces per transaction. */
const MAX_RANGES = 1_000

/** The range before the newest audit entry in which later entries may still appear. */
const LATE = '15 minutes'

/**
 * Makes the tenant at the destination equal to a snapshot of the source, in small transactions, from any earlier state.
 * Compares everything; with `whole`, also the history copied before. Returns the number of copied events.
 */
export async function pass(route: Route, { whole }: { readonly whole: boolean }): Promise<number> {
  const { from } = route
  try {
    // One snapshot for all statements.
    await from.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await takeBackOutdated(route)
    await placeState(route)
    await placeContents(route, !whole)
    const events = await placeHistory(route, !whole)
    await placeThreads(route)
    await placeAudit(route, whole)
    await requireAllEqual(from, route.to, [...stateOf(route), comparedIn(route.tables, THREADS, route.tenantId)])
    if (whole) await compareContents(route)
    if (whole) await compareHistory(route)
    await from.query('COMMIT')
    return events
  } catch (error) {
    throw explainRefusal(error)
  }
}

interface Head {
  readonly spaceId: string
  readonly events: number
  readonly acts: number
  readonly redactions: number
}

/** The heads of the spaces of a tenant, by id. */
async function headsOf(client: pg.Client, tenantId: string): Promise<Map<string, Head>> {
  const { rows } = await client.query<Head>(
    `SELECT s.space_id AS "spaceId", s.redactions,
       coalesce((SELECT max(e.position) FROM events e WHERE e.tenant_id = s.tenant_id AND e.space_id = s.space_id), 0) AS events,
       coalesce((SELECT max(d.position) FROM decision_acts d
         WHERE d.tenant_id = s.tenant_id AND d.space_id = s.space_id), 0) AS acts
     FROM spaces s WHERE s.tenant_id = $1`,
    [tenantId],
  )
  return new Map(rows.map((row) => [row.spaceId, row]))
}

/** Empties spaces at the destination whose history has diverged from the source, to copy them again. */
async function takeBackOutdated({ from, to, tenantId, erased }: Route): Promise<void> {
  const [ours, theirs] = [await headsOf(from, tenantId), await headsOf(to, tenantId)]
  for (const { spaceId, events, acts, redactions } of theirs.values()) {
    const our = ours.get(spaceId)
    const isOutdated = !our || our.redactions !== redactions || our.events < events || our.acts < acts
    if (!isOutdated || events + acts === 0) continue
    erased.add(spaceId)
    const place = [tenantId, spaceId]
    await inTransaction(to, async () => {
      for (const table of ['revisions', 'mentions', 'attention', 'decision_acts']) {
        await to.query(`DELETE FROM ${table} WHERE tenant_id = $1 AND space_id = $2`, place)
      }
      await to.query(
        `WITH gone AS (DELETE FROM threads WHERE tenant_id = $1 AND space_id = $2)
         DELETE FROM events WHERE tenant_id = $1 AND space_id = $2`,
        place,
      )
    })
  }
}

/** Actors and memberships are never deleted, and a space only after all references to it. */
const LASTING = new Set(['actors', 'memberships', 'spaces'])

async function placeState(route: Route): Promise<void> {
  const { from, to, tenantId, tables, progress, signal } = route
  const changed = new Set((await differing(from, to, stateOf(route))).map(({ table }) => table.name))
  // Includes former members, of which nothing else is comparable.
  if (changed.has('memberships')) changed.add('actors')
  if (changed.size === 0) return
  const tenants = tableOf(tables, TENANTS)
  await carry(from, to, tenants, rowsOf(tenants, tenantId), signal)
  const state = STATE.filter((name) => changed.has(name)).map((name) => tableOf(tables, name))
  for (const table of state) progress(table.name, await carry(from, to, table, carriedRows(table, tenantId), signal))
  await inTransaction(to, async () => {
    await requireOwn(to, state, tenantId)
    await placeTenant(to, tables)
    for (const table of state.toReversed()) {
      if (!LASTING.has(table.name)) await deleteStale(to, table, tenantId)
    }
    for (const table of state) await putInPlace(to, table, tenantId)
    if (changed.has('spaces')) await deleteStale(to, tableOf(tables, 'spaces'), tenantId)
  })
}

/** Columns specific to an installation: whether the tenant is here, and its location otherwise. */
const OWN_TO_INSTALLATION = ['tenant_id', 'status', 'status_before', 'location']

const sharedColumns = (tables: CarriedTables) =>
  tableOf(tables, TENANTS).columns.filter((column) => !OWN_TO_INSTALLATION.includes(column))

/** Upserts the row of the tenant: a new one is arriving; a returning one keeps its status until the end. */
async function placeTenant(to: pg.Client, tables: CarriedTables): Promise<void> {
  const columns = sharedColumns(tables)
  await to.query(
    `INSERT INTO tenants (tenant_id, status, ${list(columns)})
     SELECT tenant_id, 'arriving', ${list(columns)} FROM ${stageOf(TENANTS)}
     ON CONFLICT (tenant_id) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  )
}

/** Copies new history of the spaces, and optionally compares it. */
async function placeHistory(route: Route, compares: boolean): Promise<number> {
  const { from, to, tenantId, tables, progress, signal } = route
  const [ours, theirs] = [await headsOf(from, tenantId), await headsOf(to, tenantId)]
  let events = 0
  for (const ranges of batchesOf(ours, theirs, 'events')) {
    await inTransaction(to, async () => {
      const query = (name: string) => rowsIn(tableOf(tables, name), tenantId, ranges)
      const threads = tableOf(tables, THREADS)
      await carry(from, to, threads, threadsIn(threads, tenantId, ranges), signal)
      events += await carry(from, to, tableOf(tables, 'events'), query('events'), signal)
      await addEvents(to, tables)
      for (const name of ['revisions', 'mentions', 'attention']) {
        const table = tableOf(tables, name)
        if ((await carry(from, to, table, query(name), signal)) > 0) await add(to, table)
      }
      const added = ['events', 'revisions', 'mentions', 'attention'].map((name) => ({
        table: tableOf(tables, name),
        query: query(name),
      }))
      if (compares) await requireAllEqual(from, to, added)
    })
    progress('events', events)
  }
  const acts = tableOf(tables, 'decision_acts')
  for (const ranges of batchesOf(ours, theirs, 'acts')) {
    const query = rowsIn(acts, tenantId, ranges)
    await inTransaction(to, async () => {
      await carry(from, to, acts, query, signal)
      await add(to, acts)
      if (compares) await requireEqual(from, to, acts, query)
    })
  }
  return events
}

/** The rows missing at the destination, in batches of similar size. */
function* batchesOf(
  ours: ReadonlyMap<string, Head>,
  theirs: ReadonlyMap<string, Head>,
  what: 'events' | 'acts',
): Generator<Range[]> {
  let batch: Range[] = []
  let size = 0
  for (const [spaceId, head] of ours) {
    let after = theirs.get(spaceId)?.[what] ?? 0
    while (after < head[what]) {
      const until = Math.min(head[what], after + BATCH - size)
      batch.push({ spaceId, after, until })
      size += until - after
      after = until
      if (size < BATCH && batch.length < MAX_RANGES) continue
      yield batch
      batch = []
      size = 0
    }
  }
  if (batch.length > 0) yield batch
}

/** Runs after all events that threads are about. */
async function placeThreads({ from, to, tenantId, tables, signal }: Route): Promise<void> {
  const threads = tableOf(tables, THREADS)
  if ((await differing(from, to, [comparedIn(tables, THREADS, tenantId)])).length === 0) return
  await carry(from, to, threads, carriedRows(threads, tenantId), signal)
  await inTransaction(to, () => putInPlace(to, threads, tenantId))
}

/** Entries of an earlier tenant of this ID stay at the destination, and are no difference. */
async function placeAudit({ from, to, tenantId, tables, signal }: Route, whole: boolean): Promise<void> {
  const audit = tableOf(tables, AUDIT)
  const { rows } = await to.query<{ since: string | null }>(
    `SELECT (max(created_at) - interval '${LATE}')::text AS since FROM audit_entries WHERE tenant_id = $1`,
    [tenantId],
  )
  const since = rows[0]?.since
  const newest = rowsOf(audit, tenantId, { where: since ? `x.created_at > ${pg.escapeLiteral(since)}` : 'true' })
  const place = async (query: string) => {
    await carry(from, to, audit, query, signal)
    await inTransaction(to, async () => {
      await requireOwn(to, [audit], tenantId)
      await putInPlace(to, audit, tenantId)
    })
  }
  await place(newest)
  const all = rowsOf(audit, tenantId)
  const areAsMany = (await countOf(from, tenantId)) === (await countOf(to, tenantId))
  // A very late entry is older than this range.
  if (!areAsMany) await place(all)
  await requireSame(to, tables, [AUDIT])
  if (whole && areAsMany) await requireEqual(from, to, audit, all)
}

async function countOf(client: pg.Client, tenantId: string): Promise<number> {
  const { rows } = await client.query('SELECT count(*)::int AS count FROM audit_entries WHERE tenant_id = $1', [
    tenantId,
  ])
  return rows[0].count
}

/** Tables that are compared in full each time. */
function stateOf({ tables, tenantId }: Route): ComparedTable[] {
  const ofTenant = `SELECT ${list(['tenant_id', ...sharedColumns(tables)])} FROM tenants WHERE tenant_id = ${pg.escapeLiteral(tenantId)}`
  return [
    { table: tableOf(tables, TENANTS), query: ofTenant },
    ...STATE.map((name) => comparedIn(tables, name, tenantId)),
  ]
}

function comparedIn(tables: CarriedTables, name: string, tenantId: string): ComparedTable {
  const table = tableOf(tables, name)
  return { table, query: rowsOf(table, tenantId) }
}

async function compareHistory({ from, to, tenantId, tables }: Route): Promise<void> {
  for (const name of BY_POSITION) {
    const table = tableOf(tables, name)
    await requireEqual(from, to, table, rowsOf(table, tenantId), PIECES)
  }
}
