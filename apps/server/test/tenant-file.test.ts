import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Signer } from '@collab-spaces/merkle'
import { COLUMNS, parsedColumns, type Reference, readReferences } from '@collab-spaces/operator/integrity'
import { query, useDirectory } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { type FurnishedTenant, furnish, type Installation, operateAt, rowsOfTenant, statusAt } from './support/cells.js'
import { fillColumns } from './support/every-column.js'
import { useServer } from './support/server.js'
import { TenantFile } from './support/tenant-file.js'

const a = useServer()
const b = useServer()
const files = useDirectory()

type Row = Readonly<Record<string, unknown>>

let tenant: FurnishedTenant
let stranger: FurnishedTenant
let file: TenantFile
let references: readonly Reference[]

const isCarried = ({ table }: Reference) => table in COLUMNS || file.rows(table).length > 0

beforeAll(async () => {
  tenant = await furnish(a)
  await fillColumns(a, tenant)
  stranger = await furnish(b)
  await fillColumns(b, stranger)
  const path = join(files.path, 'tenant.gz')
  expect(await operateAt(a, 'tenant', 'export', tenant.tenantId, path)).toMatchObject({ complaints: [] })
  file = new TenantFile(await readFile(path))
  references = await readReferences({ query: (statement) => query(a.connection, statement) })
})

const isUuid = (text: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text)

/** Returns an unknown id of the same form. */
const unknownLike = (id: string): string => {
  if (isUuid(id)) return randomUUID()
  return /^\d+$/.test(id) ? '999999999' : id.replace(/.{8}$/, 'zzzzzzzz')
}

/** Returns the ids of a reference in the furnished tenant of an installation. */
async function idsOf(
  { columns, table, isForeignKey, name }: Reference,
  at: Installation,
  { tenantId }: FurnishedTenant,
) {
  if (isForeignKey) return []
  const selects = COLUMNS[table]?.[columns[0] as string]?.ids ?? []
  const found: string[] = []
  for (const { select } of selects) {
    const of = ['api_keys', 'personal_access_tokens', 'identities', 'passkeys'].includes(table)
      ? '(SELECT a.tenant_id FROM actors a WHERE a.actor_id = s.actor_id)'
      : 's.tenant_id'
    const { rows } = await query(
      at.connection,
      `SELECT i.id FROM ${table} s CROSS JOIN LATERAL (SELECT ${of} AS id) n CROSS JOIN LATERAL (${select}) i WHERE n.id = $1`,
      [tenantId],
    )
    expect(`${name} ${select}: ${rows.length > 0}`).toBe(`${name} ${select}: true`)
    found.push(rows[0].id)
  }
  return found
}

/** Imports a file with one edited field, and expects a refusal that names the place and stores nothing. */
async function expectRefused(table: string, row: number, column: string, value: string): Promise<string> {
  const path = join(files.path, 'edited.gz')
  await writeFile(path, file.edited(table, row, column, value))
  const { complaints, lines } = await operateAt(b, 'tenant', 'import', path)
  const what = `${table}.${column} = ${value}`
  expect({ what, lines }).toEqual({ what, lines: [] })
  expect(complaints.join('\n')).toMatch(
    /^Refused, and nothing was changed: \w+, row \d+( \(.*\))? .*: line \d+ of edited\.gz\. Run "operate check"/s,
  )
  expect(await statusAt(b, tenant.tenantId)).toBeUndefined()
  return complaints.join('\n')
}

describe('a tenant file', () => {
  it('is refused when a foreign key refers to a row outside the file', async () => {
    for (const reference of references.filter((one) => one.isForeignKey && isCarried(one))) {
      const { table, columns, name } = reference
      // A column that the database generates is not in the file.
      const stored = columns.filter((column) => column in (file.rows(table)[0]?.fields ?? {}))
      const column = stored.at(-1) as string
      const found = file.find(table, stored, () => true)
      expect(`${name} ${found !== undefined}`).toBe(`${name} true`)
      const { row, fields } = found as NonNullable<typeof found>
      // A row of another tenant is as unknown to the file as one that does not exist.
      const { rows } = await query(
        b.connection,
        `SELECT ${column}::text AS id FROM ${table} s WHERE ${column} IS NOT NULL AND ${
          'tenant_id' in fields ? 's.tenant_id' : '(SELECT a.tenant_id FROM actors a WHERE a.actor_id = s.actor_id)'
        } = $1 AND ${column}::text <> $2 LIMIT 1`,
        [stranger.tenantId, fields[column]],
      )
      const id = rows[0]?.id ?? '1'
      await expectRefused(table, row, column, /^\d+$/.test(id) ? unknownLike(fields[column] as string) : id)
    }
  })

  it('is refused when any other reference leads outside the file', async () => {
    for (const reference of references.filter((one) => !one.isForeignKey)) {
      const { table, columns, name, mayBeGone } = reference
      const column = columns[0] as string
      const foreign = await idsOf(reference, b, stranger)
      for (const [index, id] of (await idsOf(reference, a, tenant)).entries()) {
        const found = file.find(table, [column], (fields) => fields[column]?.includes(id) ?? false)
        expect(`${name} ${found !== undefined}`).toBe(`${name} true`)
        const { row, fields } = found as NonNullable<typeof found>
        const edit = (other: string) => (fields[column] as string).replaceAll(id, other)
        if (!mayBeGone) await expectRefused(table, row, column, edit(unknownLike(id)))
        await expectRefused(table, row, column, edit(foreign[index] as string))
      }
    }
  })

  it('is refused when a value cannot be parsed', async () => {
    for (const table of Object.keys(COLUMNS)) {
      for (const column of parsedColumns(table)) {
        const found = file.find(table, [column], () => true)
        expect(`${table}.${column} ${found !== undefined}`).toBe(`${table}.${column} true`)
        const { row, fields } = found as NonNullable<typeof found>
        const value = fields[column] as string
        const malformed = value.startsWith('{') && !value.startsWith('{"') ? '{no such thing}' : '"no such thing"'
        const refusal = await expectRefused(table, row, column, malformed)
        expect(refusal).toContain(`${table}, row ${row}`)
        expect(refusal).toContain(`line ${file.line(table, row)} of`)
        expect(refusal).toContain(column)
      }
    }
  })

  it('leaves no rows when it is refused', async () => {
    const rows = await rowsOfTenant(b.connection, tenant.tenantId)
    expect(Object.entries(rows).filter(([, found]) => found.length > 0)).toEqual([])
  })

  it('is refused when it is not signed with the key in --trust-key', async () => {
    const path = join(files.path, 'tenant.gz')
    const other = new Signer(Buffer.alloc(32, 7)).key
    const { complaints } = await operateAt(b, 'tenant', 'import', path, '--trust-key', other)
    expect(complaints.join()).toMatch(
      /^Refused, and nothing was changed: the file is not signed with the key in --trust-key/,
    )
  })

  it('is imported without --trust-key, but without sign-in methods and verified addresses', async () => {
    const path = join(files.path, 'tenant.gz')
    const { complaints, lines } = await operateAt(b, 'tenant', 'import', path)
    expect(complaints).toEqual([])
    expect(lines[1]).toMatch(
      /^Without --trust-key, the file is not authenticated\. Left out: 2 ways to sign in and \d+ browser/,
    )
    const rows = await rowsOfTenant(b.connection, tenant.tenantId)
    expect(rows.webhooks?.length).toBeGreaterThan(1)
    for (const row of rows.webhooks as Row[])
      expect(row).toMatchObject({ verified_at: null, disabled_at: expect.any(String) })
    for (const row of rows.notification_channels as Row[])
      expect(row).toMatchObject({ kind: 'email', verified_at: null })
    for (const table of ['identities', 'passkeys']) {
      const left = await query(b.connection, `SELECT FROM ${table} JOIN actors USING (actor_id) WHERE tenant_id = $1`, [
        tenant.tenantId,
      ])
      expect(left.rows).toEqual([])
    }
    await b.as(tenant.actor).get('/api/actors/me').expect(200)
  })
})

const problemsAt = async (at: Installation): Promise<string[]> => {
  const { lines } = await operateAt(at, 'check', '--json')
  return JSON.parse(lines[0] ?? '').problems.map(({ problem }: { problem: string }) => problem)
}

/** Drops constraints and triggers, as in an edited database; returns the statements that restore them. */
async function unguard({ connection }: Installation): Promise<string> {
  const { rows } = await query(
    connection,
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
     FROM pg_constraint WHERE contype IN ('c', 'f') AND connamespace = current_schema()::regnamespace`,
  )
  const triggers = await query(
    connection,
    `SELECT DISTINCT format('ALTER TABLE %s DISABLE TRIGGER USER', tgrelid::regclass) AS drop FROM pg_trigger t
     JOIN pg_class c ON c.oid = tgrelid WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace`,
  )
  await query(connection, [...rows, ...triggers.rows].map((row) => row.drop).join('; '))
  return rows.map(({ make }) => make).join('; ')
}

describe('operate check', () => {
  it('names every value that the server cannot read', async () => {
    const wanted: string[] = []
    await unguard(a)
    for (const table of Object.keys(COLUMNS).filter((name) => name !== 'tenants')) {
      for (const column of parsedColumns(table)) {
        if (column === 'wire') continue
        const { rows } = await query(
          a.connection,
          `SELECT pg_typeof(${column})::text AS type FROM ${table} WHERE ${column} IS NOT NULL LIMIT 1`,
        )
        const malformed = rows[0].type === 'text[]' ? '{no such thing}' : '"no such thing"'
        await query(
          a.connection,
          `UPDATE ${table} SET ${column} = $1 WHERE ctid = (SELECT ctid FROM ${table} WHERE ${column} IS NOT NULL LIMIT 1)`,
          [malformed],
        )
        wanted.push(`${table}.${column}`)
      }
    }
    const problems = await problemsAt(a)
    const named = wanted.filter((name) => {
      const [table, column] = name.split('.')
      return problems.some((problem) => problem.startsWith(`${table} (`) && problem.includes(`: ${column} `))
    })
    expect(named).toEqual(wanted)
  })

  it('names every dangling reference', async () => {
    const wanted = new Set<string>()
    const listed = references.filter(({ isForeignKey, mayBeGone }) => !isForeignKey && !mayBeGone)
    // All are read before any is broken.
    const ids = new Map(await Promise.all(listed.map(async (one) => [one, await idsOf(one, b, stranger)] as const)))
    for (const [{ table, columns, name, target }, found] of ids) {
      const column = columns[0] as string
      for (const id of found) {
        const { rows } = await query(b.connection, `SELECT pg_typeof(${column})::text AS type FROM ${table} LIMIT 1`)
        // Other references of a row without a tenant are not checked.
        const which = target === 'tenant' ? `ctid = (SELECT max(ctid) FROM ${table} WHERE tenant_id = '${id}')` : 'true'
        await query(
          b.connection,
          `UPDATE ${table} SET ${column} = replace(${column}::text, $1, $2)::${rows[0].type}
             WHERE ${column}::text LIKE '%' || $1 || '%' AND ${which}`,
          [id, unknownLike(id)],
        )
      }
      wanted.add(name)
    }
    const problems = await problemsAt(b)
    expect([...wanted].filter((name) => !problems.some((problem) => problem.includes(`(${name})`)))).toEqual([])
  })

  it('names every dangling foreign key', async () => {
    const wanted = new Set<string>()
    const guard = await unguard(b)
    for (const { table, columns, name, isForeignKey } of references) {
      if (!isForeignKey) continue
      const column = columns.at(-1) as string
      const { rows } = await query(
        b.connection,
        `SELECT ${column}::text AS id FROM ${table} WHERE num_nulls(${columns.join(', ')}) = 0 ORDER BY ctid DESC LIMIT 1`,
      )
      await query(
        b.connection,
        `UPDATE ${table} SET ${column} = $1 WHERE ctid = (SELECT max(ctid) FROM ${table} WHERE num_nulls(${columns.join(', ')}) = 0)`,
        [unknownLike(rows[0].id)],
      )
      wanted.add(name)
    }
    await query(b.connection, guard)
    const problems = await problemsAt(b)
    expect([...wanted].filter((name) => !problems.some((problem) => problem.includes(`(${name})`)))).toEqual([])
  })
})
