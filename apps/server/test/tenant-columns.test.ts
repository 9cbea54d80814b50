import { CARRIED, COLUMNS, type Place, type Reference, readReferences } from '@collab-spaces/operator/integrity'
import { query, useDatabase } from '@collab-spaces/testing'
import pg from 'pg'
import { describe, expect, it } from 'vitest'

const database = useDatabase()

const place: Place = { rows: pg.escapeIdentifier, others: () => [], where: () => 'true', line: '0' }

/** The columns that can hold ids or structured values. */
const DECIDABLE = `
  SELECT table_name || '.' || column_name AS name FROM information_schema.columns
  WHERE table_schema = current_schema() AND table_name = ANY ($1)
    AND udt_name IN ('text', 'uuid', 'jsonb', 'json', '_text', '_uuid', '_jsonb', 'varchar') ORDER BY 1`

/** Columns of bytes that are parsed, unlike hashes and parts of files. */
const PARSED_BYTES = ['pictures.bytes']

const readAll = (): Promise<Reference[]> =>
  readReferences({ query: (statement) => query(database.connection, statement) })

const namesOf = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name)

describe('the columns of a tenant', () => {
  it('are each covered by a foreign key or declared in COLUMNS', async () => {
    const { rows } = await query(database.connection, DECIDABLE, [['tenants', ...CARRIED]])
    const keys = await readAll()
    const covered = keys.flatMap(({ isForeignKey, table, columns }) =>
      isForeignKey ? columns.map((column) => `${table}.${column}`) : [],
    )
    const declared = Object.entries(COLUMNS).flatMap(([table, columns]) =>
      Object.keys(columns).map((column) => `${table}.${column}`),
    )
    expect([...new Set([...covered, ...declared])].filter((name) => namesOf(rows).includes(name)).sort()).toEqual(
      namesOf(rows),
    )
    const decidable = [...namesOf(rows), ...PARSED_BYTES]
    expect(declared.filter((name) => !decidable.includes(name) || covered.includes(name))).toEqual([])
  })

  it('declare ids or a parser, or the reason for neither', () => {
    for (const [table, columns] of Object.entries(COLUMNS)) {
      for (const [column, { ids = [], parse, plain }] of Object.entries(columns)) {
        const isLookedAt = ids.length > 0 || parse !== undefined
        expect(`${table}.${column}: ${isLookedAt !== (plain !== undefined)}`).toBe(`${table}.${column}: true`)
      }
    }
  })

  it('have references that the database can check', async () => {
    for (const { name, broken } of await readAll()) {
      const { rows } = await query(database.connection, `SELECT count(*)::int AS count ${broken(place)}`)
      expect({ [name]: rows }).toEqual({ [name]: [{ count: 0 }] })
    }
  })
})
