import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { NOTHING, query, useDirectory } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import {
  expectIntact,
  type FurnishedTenant,
  furnish,
  move,
  operateAt,
  readEverything,
  rowsOfTenant,
  statusAt,
} from './support/cells.js'
import { keyOf } from './support/sealed.js'
import { useServer } from './support/server.js'

const a = useServer()
const b = useServer()
const files = useDirectory()

const DEFAULT_SCOPE = '00000000-0000-4000-8000-000000000000'

let tenant: FurnishedTenant
let file: string
let text: string
let before: Map<string, string>

const importTrusted = async () => operateAt(b, 'tenant', 'import', file, '--trust-key', await keyOf(a))

describe('an export', () => {
  it('is a new file that only its owner can read', async () => {
    tenant = await furnish(a)
    before = await readEverything(tenant, a)
    file = join(files.path, 'tenant.gz')
    const exported = await operateAt(a, 'tenant', 'export', tenant.tenantId, file)
    expect(exported.complaints).toEqual([])
    expect(exported.lines[0]).toMatch(/^Exported \d+ events in \d+ spaces to .* \([\d,]+ bytes\)\.$/)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    text = gunzipSync(await readFile(file)).toString()
    const again = await operateAt(a, 'tenant', 'export', tenant.tenantId, file)
    expect(again.complaints).toEqual([`${file} exists: choose another name, or remove it`])
    const [entry] = await tenant.world.owner.get('/api/audit?action=tenant.exported').expect(200)
    expect(entry).toMatchObject({ actor_id: null, details: { file, spaces: expect.any(Number) } })
  })

  it('is refused for the shared default tenant and for unknown tenants', async () => {
    for (const [id, why] of [
      [DEFAULT_SCOPE, /^The shared default tenant cannot leave its installation/],
      [NOTHING, /^Tenant not found$/],
      ['nothing', /^Tenant not found$/],
    ] as const) {
      const { complaints } = await operateAt(a, 'tenant', 'export', id, join(files.path, 'none.gz'))
      expect(complaints.join()).toMatch(why)
    }
  })
})

describe('an import', () => {
  /** Writes a changed file with a matching checksum. */
  async function changed(name: string, change: (text: string) => string): Promise<string> {
    const lines = change(text).trimEnd().split('\n')
    const footer = JSON.parse((lines.pop() as string).slice(3))
    const content = `${lines.join('\n')}\n`
    const sha256 = createHash('sha256').update(content).digest('hex')
    const path = join(files.path, name)
    await writeFile(path, gzipSync(`${content}-- ${JSON.stringify({ ...footer, sha256 })}\n`))
    return path
  }

  async function refusal(path: string): Promise<string> {
    const { complaints, lines } = await operateAt(b, 'tenant', 'import', path)
    expect(lines).toEqual([])
    expect(await statusAt(b, tenant.tenantId)).toBeUndefined()
    const { rows } = await query(b.connection, 'SELECT FROM actors WHERE actor_id = $1', [tenant.actor.actor_id])
    expect(rows).toEqual([])
    return complaints.join('\n')
  }

  it('of a damaged, truncated or foreign file is refused as a whole', async () => {
    const bytes = await readFile(file)
    const cut = join(files.path, 'cut.gz')
    await writeFile(cut, bytes.subarray(0, bytes.length - 100))
    expect(await refusal(cut)).toMatch(/The tenant file is damaged \(it ends too early\)/)
    const bent = join(files.path, 'bent.gz')
    await writeFile(bent, gzipSync(text.replace('in the thread', 'in the thraed')))
    expect(await refusal(bent)).toMatch(/The tenant file is damaged \(its checksum is wrong\)/)
    const none = join(files.path, 'none.gz')
    await writeFile(none, gzipSync('-- {}\n'))
    expect(await refusal(none)).toBe('The file is not a tenant file of Collaboration Spaces')
    const backup = join(files.path, 'backup.gz')
    await operateAt(a, 'backup', backup)
    expect(await refusal(backup)).toBe('The file is not a tenant file of Collaboration Spaces')
  })

  it('names the first row of another tenant', async () => {
    const { tenantId } = tenant
    const foreign = await changed('foreign.gz', (all) => {
      const at = all.indexOf('\n', all.indexOf('COPY "participants"')) + 1
      return all.slice(0, at) + all.slice(at).replace(tenantId, DEFAULT_SCOPE)
    })
    expect(await refusal(foreign)).toMatch(/participants, row 1 .* belongs to another tenant/)
  })

  it('names the row that PostgreSQL rejects', async () => {
    const wrong = await changed('wrong.gz', (all) => {
      const at = all.indexOf('\n', all.indexOf('COPY "decisions"')) + 1
      return all.slice(0, at) + all.slice(at).replace(tenant.tenantId, 'no-uuid')
    })
    expect(await refusal(wrong)).toMatch(
      /decisions, row 1 is not what PostgreSQL takes: tenant_id: invalid input syntax for type uuid/,
    )
    const orphaned = await changed('orphaned.gz', (all) => {
      const at = all.indexOf('\n', all.indexOf('COPY "participants"')) + 1
      return all.slice(0, at) + all.slice(at).replace(/\tusr_\w+/, '\tusr_000000000000000000000000')
    })
    expect(await refusal(orphaned)).toMatch(
      /participants, row \d \(.*\) tenant_id, actor_id refers to no row that the file has \(memberships\): line \d+ of orphaned\.gz/,
    )
  })

  it('of another version is refused', async () => {
    const other = await changed('other.gz', (all) => all.replace(/"migration":"\d+/, '"migration":"20270101000000'))
    expect(await refusal(other)).toMatch(/The file is of another version \(20270101000000_\w+, and here it is /)
  })

  it('refuses an id that exists as a different actor', async () => {
    const id = tenant.actor.actor_id
    // Inserted by hand, because random ids do not collide.
    await query(
      b.connection,
      `INSERT INTO actors (actor_id, tenant_id, actor_type, display_name, created_at) VALUES ($1, $2, 'human', 'Bob', now())`,
      [id, DEFAULT_SCOPE],
    )
    const { complaints } = await importTrusted()
    expect(complaints.join('')).toMatch(new RegExp(`actors, row \\d+ \\(${id}\\) already exists as a different actor`))
    expect(await statusAt(b, tenant.tenantId)).toBeUndefined()
    await query(b.connection, 'DELETE FROM actors WHERE actor_id = $1', [id])
  })

  it('restores the whole export, once', async () => {
    const rows = await rowsOfTenant(a.connection, tenant.tenantId)
    const imported = await importTrusted()
    expect(imported).toMatchObject({ complaints: [] })
    expect(imported.lines[0]).toMatch(/^Imported tenant \S+ \(Acme\): \d+ events in \d+ spaces\.$/)
    expect(await readEverything(tenant, b)).toEqual(before)
    const arrived = await rowsOfTenant(b.connection, tenant.tenantId)
    for (const [table, expected] of Object.entries(rows)) {
      if (table !== 'audit_entries') expect({ [table]: arrived[table] }).toEqual({ [table]: expected })
    }
    await expectIntact(b)
    const again = await importTrusted()
    expect(again.complaints).toEqual(['The tenant is here already (active): nothing was imported'])
  })
})

describe('a deletion', () => {
  it('requires a suspended tenant and --yes', async () => {
    const { tenantId } = tenant
    const inService = await operateAt(b, 'tenant', 'delete', tenantId, '--yes')
    expect(inService.complaints.join('')).toMatch(/^The tenant is in service: suspend it first/)
    expect(await operateAt(b, 'tenant', 'suspend', tenantId)).toMatchObject({ complaints: [] })
    const once = await operateAt(b, 'tenant', 'delete', tenantId)
    expect(once.complaints.join('')).toMatch(/^This permanently deletes the tenant Acme .* To continue, add --yes$/)
    const shared = await operateAt(b, 'tenant', 'delete', DEFAULT_SCOPE, '--yes')
    expect(shared.complaints.join('')).toMatch(/^The shared default tenant cannot leave/)
  })

  it('keeps the security log, and allows a new import of the tenant', async () => {
    const { tenantId, actor } = tenant
    const deleted = await operateAt(b, 'tenant', 'delete', tenantId, '--yes')
    expect(deleted).toMatchObject({ complaints: [] })
    expect(deleted.lines[0]).toMatch(/^Deleted tenant \S+ \(Acme\): \d+ events in \d+ spaces\.$/)
    await b.as(actor).get('/api/actors/me').expect(401)
    const rows = await rowsOfTenant(b.connection, tenantId)
    const left = Object.keys(rows).filter((table) => rows[table]?.length !== 0)
    expect(left.filter((table) => table !== 'erasures')).toEqual(['audit_entries'])
    await expectIntact(b)
    const again = await operateAt(b, 'tenant', 'delete', tenantId, '--yes')
    expect(again.complaints).toEqual(['Tenant not found'])

    expect(await importTrusted()).toMatchObject({ complaints: [] })
    expect(await readEverything(tenant, b)).toEqual(before)
    await expectIntact(b)
  })

  it('allows a move of the tenant to where it was', async () => {
    const { tenantId } = tenant
    await operateAt(b, 'tenant', 'suspend', tenantId)
    expect(await operateAt(b, 'tenant', 'delete', tenantId, '--yes')).toMatchObject({ complaints: [] })
    expect(await move(tenantId, a, b)).toMatchObject({ complaints: [] })
    expect(await readEverything(tenant, b)).toEqual(before)
    await expectIntact(b)
  })
})
