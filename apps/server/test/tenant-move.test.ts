import { describe, expect, it } from 'vitest'
import { expectIntact, furnish, move, readEverything, rowsOfTenant, statusAt } from './support/cells.js'
import { useServer } from './support/server.js'

const a = useServer()
const b = useServer()

describe('a tenant that moves', { timeout: 120_000 }, () => {
  it('is there what it was here, byte for byte, and back again', async () => {
    const tenant = await furnish(a)
    const { tenantId, actor } = tenant
    const before = await readEverything(tenant, a)
    expect(before.size).toBeGreaterThan(25)
    const rows = await rowsOfTenant(a.connection, tenantId)

    const moved = await move(tenantId, a, b)
    expect(moved).toMatchObject({ complaints: [] })
    expect(moved.lines[0]).toMatch(
      /^Moved tenant \S+ to http:\S+: \d+ events in \d+ spaces\. It was out of service for /,
    )
    expect(await readEverything(tenant, b)).toEqual(before)
    const arrived = await rowsOfTenant(b.connection, tenantId)
    for (const [table, expected] of Object.entries(rows)) {
      if (table === 'audit_entries') expect(arrived[table]?.length).toBe(expected.length + 1)
      else expect({ [table]: arrived[table] }).toEqual({ [table]: expected })
    }
    await expectIntact(a)
    await expectIntact(b)
    const answer = await a.as(actor).get('/api/actors/me')
    expect(answer.expect(421)).toEqual({ detail: expect.stringContaining(b.url), error: 'moved', location: b.url })

    expect(await move(tenantId, b, a)).toMatchObject({ complaints: [] })
    expect(await readEverything(tenant, a)).toEqual(before)
    expect([await statusAt(a, tenantId), await statusAt(b, tenantId)]).toEqual(['active', 'moved'])
    await b.as(actor).get('/api/actors/me').expect(421)
    await expectIntact(a)
    await expectIntact(b)
  })
})
