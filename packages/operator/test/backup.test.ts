import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { backUp } from '../src/backup/backup.js'
import { restore } from '../src/backup/restore.js'
import { checkDatabase, type Problem } from '../src/check/check.js'
import { migrate } from '../src/migration/apply.js'
import { withLater } from './later-migration.js'
import { usePostgres } from './postgres.js'

const silent = () => {}
const TENANT = '00000000-0000-4000-8000-000000000000'
const { signal } = new AbortController()
const postgres = usePostgres()

const emptied = () =>
  postgres.client.query('SET client_min_messages = warning; DROP SCHEMA public CASCADE; CREATE SCHEMA public')

beforeEach(emptied)

async function backup(): Promise<Buffer> {
  const pieces: Buffer[] = []
  const write = async (content: AsyncIterable<Buffer>) => {
    for await (const piece of content) pieces.push(piece)
  }
  await backUp(postgres.connection, write, silent, signal)
  return Buffer.concat(pieces)
}

const restored = (content: Buffer, migrations?: string) =>
  restore(postgres.connection, Readable.from([content]), silent, signal, migrations)

/** Inserts Ada, a space and two events, with the required columns. */
async function furnish(): Promise<void> {
  await postgres.client.query(`
    INSERT INTO actors (actor_id, tenant_id, actor_type, display_name, created_at)
      VALUES ('usr_ada', '${TENANT}', 'human', 'Ada', now());
    INSERT INTO memberships (tenant_id, actor_id) VALUES ('${TENANT}', 'usr_ada');
    INSERT INTO spaces (tenant_id, space_id, description, status, started_at, created_by, head, last_event_at)
      VALUES ('${TENANT}', 'plans', '', 'active', '2026-01-01', 'usr_ada', 2, '2026-01-02');`)
  for (const position of [1, 2]) {
    const event_id = `00000000-0000-7000-8000-00000000000${position}`
    const timestamp = '2026-01-02T00:00:00.000Z'
    const event = {
      event_id,
      space_id: 'plans',
      thread_id: null,
      speaker_id: 'usr_ada',
      posted_by: 'usr_ada',
      timestamp,
    }
    await postgres.client.query(
      `INSERT INTO events (tenant_id, space_id, position, event_id, occurred_at, speaker_id, posted_by, wire, nonce)
       VALUES ($1, 'plans', $2, $3, $4, 'usr_ada', 'usr_ada', $5, uuid_send(gen_random_uuid()))`,
      [TENANT, position, event_id, timestamp, JSON.stringify({ ...event, text: 'Hello world' })],
    )
  }
}

async function check(): Promise<{ problems: string[]; ahead: readonly object[]; events: number }> {
  const problems: Problem[] = []
  const found = await checkDatabase(postgres.connection, null, (problem) => problems.push(problem), silent, signal)
  return { ...found, problems: problems.map(({ problem }) => problem) }
}

/** Returns the definitions of indexes, keys and checks. */
async function structure(): Promise<unknown[]> {
  const { rows } = await postgres.client.query(
    `SELECT pg_get_indexdef(indexrelid) AS made FROM pg_index i JOIN pg_class c ON c.oid = indrelid
     WHERE relnamespace = 'public'::regnamespace
     UNION ALL SELECT conrelid::regclass || conname || convalidated || pg_get_constraintdef(oid) FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace ORDER BY 1`,
  )
  return rows
}

describe('a restored backup', () => {
  it('is complete: the schema stores data in tables only', async () => {
    await migrate(postgres.connection, silent)
    const { rows } = await postgres.client.query(
      `SELECT relname, relkind FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('r', 'i')`,
    )
    expect(rows).toEqual([])
  })

  it('has the indexes and keys that migrations create', async () => {
    await migrate(postgres.connection, silent)
    await furnish()
    const made = await structure()
    const content = await backup()
    await emptied()
    const { rows } = await restored(content)
    expect(rows).toMatchObject({ events: 2, spaces: 1, tenants: 1 })
    expect(await structure()).toEqual(made)
    expect(await migrate(postgres.connection, silent)).toEqual({ applied: [] })
    expect(await check()).toMatchObject({ events: 2, problems: [], ahead: [] })
  })

  it('of an older version runs the later migrations on its rows', async () => {
    await migrate(postgres.connection, silent)
    await furnish()
    const content = await backup()
    await emptied()
    const later = await withLater(
      postgres.directory,
      'ALTER TABLE events ADD size int; UPDATE events SET size = length(wire)',
    )
    await restored(content, later)
    expect(await migrate(postgres.connection, silent, later)).toEqual({ applied: [] })
    const { rows } = await postgres.client.query('SELECT count(*)::int FROM events WHERE size > 0')
    expect(rows).toEqual([{ count: 2 }])
    expect(await check()).toMatchObject({ events: 2, problems: [] })
  })

  it('omits a table that another program made in the schema', async () => {
    await migrate(postgres.connection, silent)
    await furnish()
    await postgres.client.query('CREATE TABLE report AS SELECT generate_series(1, 10000) AS n')
    const content = await backup()
    await emptied()
    const { rows } = await restored(content)
    expect(rows).toMatchObject({ events: 2 })
    expect(rows).not.toHaveProperty('report')
    expect((await postgres.client.query(`SELECT to_regclass('report') AS report`)).rows).toEqual([{ report: null }])
    expect(await check()).toMatchObject({ events: 2, problems: [] })
  })

  it.each(['events', 'indexes and foreign keys'])('leaves nothing when it is interrupted at its %s', async (part) => {
    await migrate(postgres.connection, silent)
    await furnish()
    const content = await backup()
    await emptied()
    const interrupted = new AbortController()
    const stop = (table: string) => {
      if (table === part) interrupted.abort()
    }
    await expect(restore(postgres.connection, Readable.from([content]), stop, interrupted.signal)).rejects.toThrow()
    expect(
      (await postgres.client.query(`SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).rows,
    ).toEqual([])
  })
})

describe('a check', () => {
  const EVENT_2 = `WHERE position = 2`

  it.each([
    ['a lost event', 'DELETE FROM events WHERE position = 1', ['event 1 is missing']],
    ['lost newest events', 'UPDATE spaces SET head = 4', ['events 3 to 4 are missing']],
    ['a head that is behind', 'UPDATE spaces SET head = 1', ['its head is 1, and its newest event is 2']],
    [
      'a wrong time',
      `UPDATE spaces SET last_event_at = '2026-01-03'`,
      ['its time of the newest event is 2026-01-03T00:00:00.000Z, and that event has 2026-01-02T00:00:00.000Z'],
    ],
    [
      'a broken event',
      `UPDATE events SET wire = left(wire, -1) ${EVENT_2}`,
      ['event 2 cannot be read: it is not JSON'],
    ],
    [
      "another event's JSON",
      `UPDATE events SET wire = (SELECT wire FROM events WHERE position = 1) ${EVENT_2}`,
      ['event 2 cannot be read: event_id differs from the column'],
    ],
    [
      'time that goes backwards',
      `UPDATE events SET occurred_at = '2026-01-03', wire = replace(wire, '01-02T', '01-03T') WHERE position = 1`,
      ['event 2 is dated before the one that it follows'],
    ],
    [
      'a broken reference',
      `ALTER TABLE participants DROP CONSTRAINT participants_tenant_id_actor_id_fkey;
       INSERT INTO participants (tenant_id, space_id, actor_id, joined_at) VALUES ('${TENANT}', 'plans', 'usr_eve', now());
       ALTER TABLE participants ADD CONSTRAINT participants_tenant_id_actor_id_fkey
         FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships NOT VALID`,
      ['1 rows of participants refer to none of memberships (participants_tenant_id_actor_id_fkey)'],
    ],
  ])('reports %s', async (_, damage, problems) => {
    await migrate(postgres.connection, silent)
    await furnish()
    expect(await check()).toMatchObject({ problems: [] })
    await postgres.client.query(damage)
    expect(await check()).toMatchObject({ problems })
  })

  it.each(['arriving', 'moved', 'deleting'])('ignores a tenant that is incomplete: %s', async (status) => {
    await migrate(postgres.connection, silent)
    await furnish()
    await postgres.client.query(`DELETE FROM events WHERE position = 1; UPDATE tenants SET status = '${status}'`)
    expect(await check()).toMatchObject({ problems: [] })
  })

  it('reports spaces whose time is ahead of the clock', async () => {
    await migrate(postgres.connection, silent)
    await furnish()
    await postgres.client.query(`
      UPDATE spaces SET last_event_at = '2100-01-01';
      UPDATE events SET occurred_at = '2100-01-01', wire = replace(wire, '2026-01-02', '2100-01-01')`)
    expect(await check()).toMatchObject({
      problems: [],
      ahead: [{ tenant_id: TENANT, space_id: 'plans', last_event_at: '2100-01-01T00:00:00.000Z' }],
    })
  })
})
