import { asService } from '@collab-spaces/postgres-embedded'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrateForService, TABLE_RIGHTS } from '../src/migration/service-role.js'
import { connect, usePostgres } from './postgres.js'

const INSUFFICIENT_PRIVILEGE = '42501'

const postgres = usePostgres()
let owner: pg.Client
let service: pg.Client

const logged: string[] = []
const log = (_: string, message: string) => logged.push(message)
const grant = () => migrateForService(postgres.connection, asService(postgres.connection), log)

beforeAll(async () => {
  owner = postgres.client
  service = await connect(asService(postgres.connection))
  await grant()
})

afterAll(() => service?.end())

describe('the service role', () => {
  it.each([
    ['change an event', 'UPDATE events SET wire = wire'],
    ['delete an event', 'DELETE FROM events'],
    ['empty the log', 'TRUNCATE events CASCADE'],
    ['lock an event', 'SELECT FROM events FOR UPDATE'],
    ['change the security log', "UPDATE audit_entries SET action = ''"],
    ['delete from the security log', 'DELETE FROM audit_entries'],
    ['disable the triggers of the security log', 'ALTER TABLE audit_entries DISABLE TRIGGER ALL'],
    ['delete a space', 'DELETE FROM spaces'],
    ['delete an actor', 'DELETE FROM actors'],
    ['read or change the record of migrations', 'SELECT FROM _prisma_migrations'],
    ['create a table', 'CREATE TABLE mine (n INT)'],
    ['create a temporary table', 'CREATE TEMPORARY TABLE mine (n INT)'],
    ['create a function', "CREATE FUNCTION mine() RETURNS INT LANGUAGE sql AS 'SELECT 1'"],
    ['create a schema', 'CREATE SCHEMA mine'],
    ['add a column', 'ALTER TABLE spaces ADD COLUMN mine INT'],
    ['drop a table', 'DROP TABLE links'],
    ['drop an index', 'DROP INDEX events_search_keys_idx'],
    ['merge the search index past its function', "SELECT gin_clean_pending_list('events_search_keys_idx')"],
    ['create a database', 'CREATE DATABASE mine'],
    ['create a role', 'CREATE ROLE mine'],
    ['become a superuser', 'ALTER ROLE CURRENT_USER SUPERUSER'],
    ['become the owner', 'SET ROLE spaces'],
    ['read files', "SELECT pg_read_file('PG_VERSION')"],
    ['run programs', "COPY (SELECT 1) TO PROGRAM 'cat'"],
    ['change settings', "ALTER SYSTEM SET work_mem = '1MB'"],
  ])('may not %s', async (_, statement) => {
    await expect(service.query(statement)).rejects.toMatchObject({ code: INSUFFICIENT_PRIVILEGE })
  })

  it('has no rights over the database as a whole', async () => {
    const { rows } = await service.query(
      `SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
              (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS memberships
       FROM pg_roles r WHERE rolname = current_user`,
    )
    expect(rows).toEqual([
      {
        rolsuper: false,
        rolcreatedb: false,
        rolcreaterole: false,
        rolreplication: false,
        rolbypassrls: false,
        memberships: 0,
      },
    ])
  })

  it('has exactly the listed rights on every table', async () => {
    const { rows } = await owner.query<{ name: string; rights: string[] }>(
      `SELECT relname::text AS name, ARRAY(
         SELECT privilege_type FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
           AS privilege_type WHERE has_table_privilege($1, c.oid, privilege_type)) AS rights
       FROM pg_class c WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
         AND relname <> '_prisma_migrations' ORDER BY relname`,
      [asService(postgres.connection).user],
    )
    const has = Object.fromEntries(rows.map(({ name, rights }) => [name, rights]))
    // A new table has to be listed in service-role.ts.
    expect(has).toEqual(TABLE_RIGHTS)
  })

  it('can merge the search index, and analyze tables that have grown', async () => {
    await owner.query('CREATE TABLE grown AS SELECT n FROM generate_series(1, 2000) AS n')
    await owner.query('SELECT pg_stat_force_next_flush()')
    await expect(service.query('SELECT tend_tables()')).resolves.toMatchObject({ rowCount: 1 })
    const { rows } = await owner.query("SELECT reltuples FROM pg_class WHERE relname = 'grown'")
    await owner.query('DROP TABLE grown')
    expect(rows).toEqual([{ reltuples: 2000 }])
  })
})

describe('the grants of the service role', () => {
  it('are only checked when they are complete', async () => {
    logged.length = 0
    await owner.query('SELECT pg_advisory_lock(72707369)')
    await grant().finally(() => owner.query('SELECT pg_advisory_unlock(72707369)'))
    expect(logged).toEqual([])
  })

  it('are added when missing, also by concurrent starts', async () => {
    await owner.query(`REVOKE ALL ON events, spaces FROM ${asService(postgres.connection).user}`)
    await expect(service.query('SELECT FROM events')).rejects.toMatchObject({ code: INSUFFICIENT_PRIVILEGE })
    await Promise.all([grant(), grant(), grant()])
    await expect(service.query('SELECT FROM events')).resolves.toBeDefined()
  })

  it('are added with a warning when that role has further rights', async () => {
    const { user } = asService(postgres.connection)
    await owner.query(`GRANT DELETE ON events TO ${user}; REVOKE ALL ON spaces FROM ${user}`)
    logged.length = 0
    await grant().finally(() => owner.query(`REVOKE DELETE ON events FROM ${user}`))
    expect(logged).toEqual([
      expect.stringContaining('may change and delete events'),
      expect.stringContaining('Granted'),
    ])
    await expect(service.query('SELECT FROM spaces')).resolves.toBeDefined()
  })

  it('are skipped with a warning when that role is the owner', async () => {
    logged.length = 0
    await migrateForService(postgres.connection, postgres.connection, log)
    expect(logged).toEqual([expect.stringContaining('may change and delete events')])
    await expect(owner.query('UPDATE events SET wire = wire')).resolves.toBeDefined()
  })
})
