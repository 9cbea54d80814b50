import type { ConnectionOptions } from '@collab-spaces/db'
import {
  type Actor,
  type Client,
  type Program,
  query,
  startProgram,
  type TestDatabase,
  urlOf,
} from '@collab-spaces/testing'
import { expect } from 'vitest'
import { operations } from './document.js'
import { operatorOf } from './operator.js'
import { foundTenant } from './tenant.js'
import { openWorld, type Request, type World } from './world.js'

/** A server with its own database. */
export type Installation = Client & TestDatabase

/** The output of a command, and its errors. */
interface Outcome {
  readonly lines: readonly string[]
  readonly complaints: readonly string[]
}

/** Runs a command of the operator of an installation. */
export async function operateAt(at: TestDatabase, ...words: string[]): Promise<Outcome> {
  try {
    return { lines: await operatorOf(at)(...words), complaints: [] }
  } catch (error) {
    const { detail, message } = error as { readonly detail?: string; readonly message: string }
    return { lines: [], complaints: [detail ?? message] }
  }
}

const wordsOfMove = (tenantId: string, to: Installation) => [
  ...['tenant', 'move', tenantId],
  ...['--to-database', urlOf(to.connection), '--location', to.url],
]

/** Moves a tenant, and waits for the end. */
export async function move(
  tenantId: string,
  from: Installation,
  to: Installation,
  ...more: string[]
): Promise<Outcome> {
  return operateAt(from, ...wordsOfMove(tenantId, to), ...more)
}

/** Starts a move as a process that can be killed. */
export const startMove = (tenantId: string, from: Installation, to: Installation): Program =>
  startProgram({ DATABASE_URL: urlOf(from.connection) }, wordsOfMove(tenantId, to))

export async function statusAt({ connection }: TestDatabase, tenantId: string): Promise<string | undefined> {
  const { rows } = await query(connection, 'SELECT status FROM tenants WHERE tenant_id = $1', [tenantId])
  return rows[0]?.status
}

/** A tenant with one of everything, and an actor who may do everything in it. */
export interface FurnishedTenant {
  readonly tenantId: string
  readonly actor: Actor
  readonly world: World
  /** The requests of all that its admin can read, by operation. */
  readonly requests: ReadonlyMap<string, Request>
}

// Sign-in methods belong to the installation, and a device code belongs to no tenant yet.
const reading = operations.filter(
  ({ id, method, path, keyless }) => method === 'GET' && path.startsWith('/api/') && !keyless && id !== 'device_get',
)

export async function furnish(at: Installation): Promise<FurnishedTenant> {
  const tenantId = await foundTenant(at.connection)
  const { actor, world } = await openWorld(at, at.connection, tenantId)
  await world.everything()
  const space = `/api/spaces/${await world.id('space_id')}`
  const { owner } = world
  await owner.post(`${space}/join`).expect(200)
  const metadata = { mentions: [actor.actor_id] }
  const { event_id } = await owner.post(`${space}/speech`, { text: 'tab\there \\. 東京 🙂', metadata }).expect(200)
  const { thread_id } = await owner.post(`${space}/threads`, { parent_event_id: event_id, subject: 'Ada?' }).expect(200)
  await owner.post(`${space}/speech`, { text: 'in the thread', thread_id }).expect(200)
  await owner.put(`${space}/policy`, { settle: { approvals: 1 } }).expect(200)
  const scout = await at.registerAgent(actor)
  await at.as(scout).post(`${space}/response`, { text: 'Yes?', parent_event_id: event_id }).expect(200)
  await query(
    at.connection,
    `INSERT INTO notices (tenant_id, actor_id, kind, subject, source_id, details) VALUES ($1, $2, 'review_due', 'x', $2, '{}')`,
    [tenantId, actor.actor_id],
  )
  await query(
    at.connection,
    `INSERT INTO tenant_quotas (tenant_id, spaces, counted_day, counted_events, counted_bytes) VALUES ($1, 900, now(), 0, 0)`,
    [tenantId],
  )
  const requests = new Map<string, Request>()
  for (const operation of reading) requests.set(operation.id, await world.request(operation))
  return { tenantId, actor, world, requests }
}

/** Fields of answers that depend on the time of the request. */
const OF_THE_CLOCK = /"(since|window_start|window_end|last_used_at)":"[^"]*"/g

/** Returns the exact answers to an admin, by operation. */
export async function readEverything(
  { requests, actor }: FurnishedTenant,
  at: Installation,
): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  for (const [name, { method, path, body }] of requests) {
    // The log also has entries of acts done meanwhile.
    if (path.startsWith('/api/audit')) continue
    const { status, text } = await at.as(actor).send(method, path, body)
    expect(`${path} ${status}`).toBe(`${path} 200`)
    answers.set(name, text.replace(OF_THE_CLOCK, ''))
  }
  return answers
}

/** Returns all stored rows of a tenant, except trees, which grow by themselves, and due times. */
export async function rowsOfTenant(
  connection: ConnectionOptions,
  tenantId: string,
): Promise<Record<string, unknown[]>> {
  const tables = await query(
    connection,
    `SELECT table_name FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name = 'tenant_id' AND table_name <> 'tenants'
       AND table_name NOT IN ('log_trees', 'log_tiles', 'audit_positions') ORDER BY 1`,
  )
  const found: Record<string, unknown[]> = {}
  for (const { table_name } of tables.rows) {
    // The search index of files is rebuilt where the tenant arrives.
    const leftOut = table_name === 'files' ? '{due_at,position,passages,terms}' : '{due_at}'
    const { rows } = await query(
      connection,
      `SELECT to_jsonb(x) - '${leftOut}'::text[] AS row FROM ${table_name} x WHERE tenant_id = $1
         AND to_jsonb(x) ->> 'action' IS DISTINCT FROM 'tenant.arrived' ORDER BY to_jsonb(x)::text`,
      [tenantId],
    )
    found[table_name] = rows.map(({ row }) => row)
  }
  const { rows } = await query(
    connection,
    `SELECT to_jsonb(k) - 'unused_until' AS row FROM api_keys k JOIN actors a USING (actor_id) WHERE a.tenant_id = $1
     UNION ALL
     SELECT to_jsonb(p) - 'last_used_at' FROM personal_access_tokens p JOIN actors a USING (actor_id) WHERE a.tenant_id = $1
     UNION ALL
     SELECT to_jsonb(p) FROM pictures p JOIN actors a USING (actor_id) WHERE a.tenant_id = $1
     ORDER BY 1`,
    [tenantId],
  )
  return { ...found, ofActors: rows.map(({ row }) => row) }
}

/** Expects that the integrity check finds no problem. */
export async function expectIntact(at: TestDatabase): Promise<void> {
  const { lines } = await operateAt(at, 'check')
  expect(lines.at(-1)).toMatch(/all is well\.$/)
}
