import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { LogFunction } from '@collab-spaces/db'
import type { ConnectionOptions } from '@collab-spaces/postgres-embedded'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { migrate, requireMigrated, withClient } from '../src/migration/apply.js'
import { missingSql } from '../src/migration/difference.js'
import { applyMigration } from '../src/migration/engine.js'
import { migrationsDirectory, readMigrations, schemaFile } from '../src/migration/files.js'
import { pendingMigrations } from '../src/migration/history.js'
import { LATER, withLater } from './later-migration.js'
import { connect, usePostgres } from './postgres.js'

vi.mock('../src/migration/engine.js', { spy: true })

const silent = () => {}
const FIRST = '20261124130000_initial'

const postgres = usePostgres(true)

beforeEach(async () => {
  await postgres.client.query('SET client_min_messages = warning; DROP SCHEMA public CASCADE; CREATE SCHEMA public')
})

/** Creates a database in the same PostgreSQL. */
async function databaseWith(options: string): Promise<ConnectionOptions> {
  const database = `other_${randomUUID().slice(0, 8)}`
  await postgres.client.query(`CREATE DATABASE ${database} ${options} TEMPLATE template0`)
  return { ...postgres.connection, database }
}

const up = (migrations?: string) => migrate(postgres.connection, silent, migrations)
const later = (script: string) => withLater(postgres.directory, script)

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  return (await postgres.client.query(sql)).rows
}

describe('a database', () => {
  it('is set up when it is empty', async () => {
    const { applied } = await up()
    expect(applied).toContain(FIRST)
    expect(await rows('SELECT name, schema_name, status FROM tenants')).toEqual([
      { name: 'default', schema_name: 'tenant_default_00000000', status: 'active' },
    ])
    expect(await rows(`SELECT reloptions FROM pg_class WHERE relname = 'spaces'`)).toEqual([
      { reloptions: ['fillfactor=50'] },
    ])
    expect(await rows('SELECT conname FROM pg_constraint WHERE NOT convalidated')).toEqual([])
  })

  it("keeps the same record as Prisma's own tools", async () => {
    await up()
    const migrations = await readMigrations(migrationsDirectory)
    const written = await rows(
      `SELECT migration_name AS name, checksum, applied_steps_count AS steps, logs, rolled_back_at AS undone,
              finished_at >= started_at AS finished
       FROM _prisma_migrations ORDER BY migration_name`,
    )
    expect(written).toEqual(
      migrations.map(({ name, checksum }) => ({ name, checksum, steps: 1, logs: null, undone: null, finished: true })),
    )
  })

  it('that is up to date needs no engine and no lock', async () => {
    await up()
    expect(applyMigration).toHaveBeenCalled()
    vi.mocked(applyMigration).mockClear()
    await postgres.client.query('SELECT pg_advisory_lock(72707369)')
    try {
      expect(await up()).toEqual({ applied: [] })
    } finally {
      await postgres.client.query('SELECT pg_advisory_unlock(72707369)')
    }
    expect(applyMigration).not.toHaveBeenCalled()
  })

  it('is migrated by one of several instances that start at once', async () => {
    const outcomes = await Promise.all([up(), up(), up()])
    const busy = outcomes.filter(({ applied }) => applied.length > 0)
    expect(busy).toHaveLength(1)
    expect(busy[0]?.applied).toContain(FIRST)
  })

  it('gets functions whose bodies hold semicolons', async () => {
    await up(await later(`CREATE FUNCTION two() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; RETURN 2; END $$;`))
    expect(await rows('SELECT two() AS two')).toEqual([{ two: 2 }])
  })
})

describe('an operator on a database', () => {
  it('that is not up to date gets an error, and changes nothing', async () => {
    await expect(requireMigrated(postgres.connection)).rejects.toThrow(`not up to date (pending: ${FIRST}`)
    expect(await rows("SELECT FROM pg_tables WHERE schemaname = 'public'")).toEqual([])
  })

  it('that is up to date may continue', async () => {
    await up()
    await expect(requireMigrated(postgres.connection)).resolves.toBeUndefined()
  })
})

describe('an interrupted migration', () => {
  it('that lost its connection is applied at the next start', async () => {
    // The migration has to wait for this table's name while it is in its transaction.
    const other = await connect(postgres.connection)
    await other.query('BEGIN; CREATE TABLE threads (id int)')
    const interrupted = up()
    interrupted.catch(silent)
    await vi.waitFor(
      async () => {
        const [killed] = await rows(
          `SELECT pg_terminate_backend(pid) AS killed FROM pg_stat_activity WHERE wait_event_type = 'Lock'`,
        )
        expect(killed).toEqual({ killed: true })
      },
      { timeout: 10_000, interval: 20 },
    )
    await expect(interrupted).rejects.toThrow(`The migration ${FIRST} failed and was rolled back`)
    await other.query('ROLLBACK')
    await other.end()

    expect((await up()).applied).toContain(FIRST)
  })

  it('that failed leaves no changes', async () => {
    const wrong = await later('CREATE TABLE one (id int); SELECT 1/0')
    await expect(up(wrong)).rejects.toThrow(`The migration ${LATER} failed and was rolled back: division by zero`)
    expect(await rows(`SELECT to_regclass('one') AS one, count(*)::int4 FROM _prisma_migrations`)).toEqual([
      { one: null, count: (await readMigrations(migrationsDirectory)).length },
    ])
    expect(await up(await later('CREATE TABLE one (id int)'))).toEqual({ applied: [LATER] })
  })
})

describe('a refused database', () => {
  it('was migrated by a newer version', async () => {
    await up(await later('SELECT 1'))
    await expect(up()).rejects.toThrow(`migrated by a newer version of this server (${LATER})`)
  })

  it('was created before the first release', async () => {
    await up()
    await postgres.client.query(`UPDATE _prisma_migrations SET migration_name = '20261121000000_first_life'`)
    const before = await rows('SELECT * FROM _prisma_migrations')
    await expect(up()).rejects.toThrow(
      /^The database was made before the first release.*: set DATA_DIR to a new directory/,
    )
    expect(await rows('SELECT * FROM _prisma_migrations')).toEqual(before)
  })

  it('was left unfinished by another tool', async () => {
    await up()
    await postgres.client.query('UPDATE _prisma_migrations SET finished_at = NULL')
    await expect(up()).rejects.toThrow(
      /^Another tool began the migration \w+ and did not finish it\. .* then start again$/,
    )
  })

  it('has another text of the same migration', async () => {
    await up(await later('SELECT 1'))
    const edited = await later('SELECT 2')
    await expect(up(edited)).rejects.toThrow(`The migration ${LATER} differs from the one in this database`)
  })

  it('has tables of another program', async () => {
    await postgres.client.query('CREATE TABLE stranger (id int)')
    await expect(up()).rejects.toThrow('The database has tables that this server did not create')
  })

  it('runs on an old PostgreSQL', () => {
    const ask = () => pendingMigrations([], { serverVersion: 140_012, encoding: 'UTF8', ctype: 'C.UTF-8', rows: [] })
    expect(ask).toThrow('The database is PostgreSQL 14: version 15 or later is required')
  })

  it('has an encoding without Unicode', async () => {
    const connection = await databaseWith("ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'")
    await expect(migrate(connection, silent)).rejects.toThrow(/^The database has the encoding SQL_ASCII: use one/)
  })
})

describe('a database whose locale treats dashes as letters', () => {
  it('causes a warning at each start', async () => {
    const connection = await databaseWith("ENCODING 'UTF8' LC_CTYPE 'C'")
    const warnings: string[] = []
    const warn: LogFunction = (level, message) => level === 'warn' && warnings.push(message)
    for (let start = 0; start < 2; start++) await migrate(connection, warn)
    const warning = 'Search takes dashes and quotation marks for letters here'
    expect(warnings).toEqual([warning, warning])
    const { rows } = await withClient(connection, (other) =>
      other.query(`SELECT to_tsvector('spaces', '“sea”') @@ to_tsquery('spaces', 'sea') AS found`),
    )
    expect(rows).toEqual([{ found: false }])
  })
})

describe('the check', () => {
  it('finds that the migrations match the schema', async () => {
    const schema = await readFile(schemaFile, 'utf8')
    expect(await missingSql(postgres.connection, schema, silent)).toBeUndefined()
  })

  it('names what the migrations lack for a changed schema', async () => {
    const schema = await readFile(schemaFile, 'utf8')
    const changed = schema.replace(/^model Tenant \{$/m, '$&\n  motto String?')
    expect(await missingSql(postgres.connection, changed, silent)).toContain('ADD COLUMN     "motto" TEXT')
  })

  it('ignores what a Prisma schema cannot express', async () => {
    const byHand = await later(`
      CREATE EXTENSION btree_gin;
      CREATE INDEX ON events (tenant_id, lower(wire));
      CREATE INDEX ON events (tenant_id, occurred_at) INCLUDE (wire) WHERE position > 1;
      CREATE INDEX ON events USING gin (tenant_id, space_id, to_tsvector('simple', wire));
      ALTER TABLE spaces ADD CHECK (head >= 0);
      ALTER TABLE events ALTER wire SET STORAGE external;
      CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';
      CREATE TRIGGER noop BEFORE UPDATE ON events FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
      CREATE VIEW open_spaces AS SELECT * FROM spaces WHERE ended_at IS NULL;
    `)
    const schema = await readFile(schemaFile, 'utf8')
    expect(await missingSql(postgres.connection, schema, silent, byHand)).toBeUndefined()
  })
})
