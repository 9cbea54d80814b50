import { openDatabase } from '@collab-spaces/db'
import { asTenantId, DEFAULT_TENANT } from '@collab-spaces/domain'
import { readReceipt } from '@collab-spaces/merkle'
import { type Actor, eventually, query, servingConnection, sharedMail, spaceIdOf } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { expectIntact, furnish, move, operateAt, readEverything, rowsOfTenant, statusAt } from './support/cells.js'
import { hurry } from './support/notification-channels.js'
import { operatorOf } from './support/operator.js'
import { keyOf, readLog, sealed } from './support/sealed.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'
import { plainClient } from './support/trpc.js'

const a = useServer()
const b = useServer()

const spaceTrees = (rows: readonly unknown[] = []) => rows.filter((row) => (row as { tree: string }).tree !== 'audit')

describe('a tenant that moves', () => {
  it('is the same in the other installation byte for byte, and again after a move back', async () => {
    const tenant = await furnish(a)
    const { tenantId, actor } = tenant
    const before = await readEverything(tenant, a)
    expect(before.size).toBeGreaterThan(25)
    // Rows that are sealed meanwhile would differ.
    const audited = (await rowsOfTenant(a.connection, tenantId)).audit_entries as unknown[]
    await sealed(a.as(actor), '/api/audit/log', audited.length)
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
      // The entry about the move may be sealed already.
      else if (table === 'audit_positions') expect(arrived[table]).toEqual(expect.arrayContaining([...expected]))
      else if (table === 'log_trees') expect(spaceTrees(arrived[table])).toEqual(spaceTrees(expected))
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

describe('the logs of a tenant that moves', () => {
  it('keep their proofs valid in the other installation, and continue', async () => {
    const { tenantId, world, actor } = await furnish(a)
    const log = `/api/spaces/${await world.id('space_id')}/log`
    const event = `event_id=${await world.id('event_id')}`
    const decision = `decision_id=${await world.id('decision_id')}`
    const [here, there] = [a.as(actor), b.as(actor)]
    const receiptOf = async (about: string, by = here) => {
      const { status, text } = await by.get(`${log}/proof?${about}`)
      expect(status).toBe(200)
      return text
    }
    const kept = {
      events: await sealed(here, log, 1),
      decisions: await sealed(here, log, 1, 'decisions'),
      receipts: [await receiptOf(event), await receiptOf(decision)],
    }
    expect(await move(tenantId, a, b)).toMatchObject({ complaints: [] })
    const key = await keyOf(b)
    for (const tree of ['events', 'decisions'] as const) {
      const { size, checkpoint } = kept[tree]
      const found = await sealed(there, log, size, tree)
      if (found.size === size) expect(found.checkpoint).toBe(checkpoint)
      const { text } = await there.get(`${log}/export?tree=${tree}`)
      readLog(text, key, checkpoint)
    }
    for (const receipt of kept.receipts) readReceipt(receipt, key)
    await there.post(`${log.replace('/log', '')}/speech`, { text: 'After the move' }).expect(200)
    await sealed(there, log, kept.events.size + 1)
    const { text } = await there.get(`${log}/export`)
    readLog(text, key, kept.events.checkpoint)
    readReceipt(await receiptOf(event, there), key)
  })
})

describe('the logs of a tenant that moves to another server key', () => {
  const key = { SERVER_KEY: '6b'.repeat(32) }
  const c = useServer(key)
  const operator = operatorOf(c, key)

  it('are unavailable until the operator adopts them, then continue under the new key', async () => {
    const { tenantId, world, actor } = await furnish(a)
    const space = await world.id('space_id')
    const log = `/api/spaces/${space}/log`
    const [here, there] = [a.as(actor), c.as(actor)]
    const kept = {
      events: await sealed(here, log, 1),
      decisions: await sealed(here, log, 1, 'decisions'),
    }
    const audit = await sealed(here, '/api/audit/log', 1)
    expect(await move(tenantId, a, c, '--disable-webhooks')).toMatchObject({ complaints: [] })
    const [former, own] = [await keyOf(a), await keyOf(c)]
    expect(own).not.toBe(former)
    const resting = `Another key has signed this history: the operator has to adopt what it signed ("operate log adopt ${former}")`
    await there.post(`/api/spaces/${space}/speech`, { text: 'After the move' }).expect(200)
    await there.get(`${log}/checkpoint`).expect(409, resting)
    await there.get('/api/audit/log/checkpoint').expect(409, resting)
    const [found = ''] = await operator('check', '--json')
    expect(JSON.parse(found).problems).toContainEqual({
      tenant_id: tenantId,
      space_id: space,
      problem: `events as sealed: its checkpoint is signed with another key (${former}); after a move, or with a new server key, run: operate log adopt "${former}"`,
    })

    // A history that differs from what the former key signed is not adopted.
    await query(c.connection, `UPDATE decision_acts SET wire = wire || ' ' WHERE space_id = $1 AND position = 1`, [
      space,
    ])
    const [refused] = await operator('log', 'adopt', former)
    expect(refused).toBe(`Not adopted: ${tenantId}/${space}/decisions: position 1 is not what was sealed`)
    await there.get(`${log}/checkpoint?tree=decisions`).expect(409, resting)
    const events = await sealed(there, log, kept.events.size + 1)
    await query(c.connection, 'UPDATE decision_acts SET wire = rtrim(wire) WHERE space_id = $1 AND position = 1', [
      space,
    ])
    expect((await operator('log', 'adopt', former)).at(-1)).toMatch(/^Adopted \d+ histor(y|ies)\.$/)
    await sealed(there, log, kept.decisions.size, 'decisions')
    // The entry about the move came after what the former key signed.
    await sealed(there, '/api/audit/log', audit.size + 1)

    expect(events.key).toBe(own)
    for (const tree of ['events', 'decisions'] as const) {
      const { text } = await there.get(`${log}/export?tree=${tree}`)
      readLog(text, own, kept[tree].checkpoint)
      expect(() => readLog(text, former)).toThrow('it is signed with another key')
    }
    readLog((await there.get('/api/audit/log/export')).text, own, audit.checkpoint)
    await expectIntact(c)
    await expect(operator('log', 'adopt', 'nonsense')).rejects.toThrow('must be a public key')
  })
})

describe('a tenant that has moved', () => {
  it('returns 421 on every interface, and its open streams and long polls end', async () => {
    const { tenantId, actor, world } = await furnish(a)
    const space = `/api/spaces/${await world.id('space_id')}`
    const { owner } = world
    const invite = await owner.post('/api/invites', {}).expect(200)
    const code = await owner.post('/api/agent-codes', { display_name: 'Scout' }).expect(200)
    const scout = await a.registerAgent(actor, 'Waiter')
    const stream = await StreamReader.open(owner, space)
    const wait = a.as(scout).get('/api/actors/me/inbox?wait=50')
    expect(await move(tenantId, a, b)).toMatchObject({ complaints: [] })
    await stream.ended
    expect([421, 503]).toContain((await wait).status)

    const moved = { detail: `The tenant is on another installation now: ${b.url}`, error: 'moved', location: b.url }
    for (const path of ['/api/actors/me', `${space}/events/stream`, '/api/search?q=new']) {
      expect(await owner.get(path).expect(421)).toEqual(moved)
    }
    expect(await owner.post(`${space}/speech`, { text: 'late' }).expect(421)).toEqual(moved)
    const mcp = await owner.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
    expect(mcp.expect(421)).toEqual(moved)
    const trpc = await owner.get('/trpc/actor.me')
    expect(trpc.status).toBe(421)
    expect(trpc.body.error.data).toMatchObject({ ...moved, httpStatus: 421 })
    const { data } = await plainClient(a.url, actor.api_key)
      .space.list.query({})
      .then(
        () => ({ data: null }),
        (error) => error,
      )
    expect(data).toMatchObject({ ...moved, httpStatus: 421 })

    const newcomer = { display_name: 'Grace', email: 'grace@example.org', code: invite.code }
    expect(await a.post('/api/actors', newcomer).expect(421)).toEqual(moved)
    const bob = await a.registerHuman('Bob')
    await a
      .as(bob)
      .post('/api/invites/redeem', { code: invite.code })
      .expect(409, /register with the code at http/)
    const redemption = { code: code.code, installation_id: 'laptop' }
    expect(await a.post('/api/agent-codes/redeem', redemption).expect(421)).toEqual(moved)
    await b.post('/api/actors', newcomer).expect(200)
    await b.post('/api/agent-codes/redeem', redemption).expect(200)

    // A moved tenant cannot be changed here.
    for (const words of [
      ['suspend', tenantId],
      ['reactivate', tenantId],
      ['set', tenantId, '--language-model', 'off'],
    ]) {
      expect((await operateAt(a, 'tenant', ...words)).complaints).toHaveLength(1)
    }
    const listed = (await operateAt(a, 'tenant', 'list')).lines.find((line) => line.startsWith(tenantId))
    expect(listed).toMatch(/ moved .*Acme \(http:/)
    const exported = await operateAt(a, 'tenant', 'export', tenantId, '/tmp/never.gz')
    expect(exported.complaints).toEqual([`The tenant is at ${b.url} now: export it there`])
  })

  it('holds up neither its former members nor other tenants', async () => {
    const { tenantId, actor, world } = await furnish(a)
    const space = `/api/spaces/${await world.id('space_id')}`
    const [bob, cy] = [await a.registerHuman('Bob'), await a.registerHuman('Cy')]
    const scout = await a.registerAgent(bob)
    const { code } = await world.owner.post('/api/invites', {}).expect(200)
    await a.as(bob).post('/api/invites/redeem', { code }).expect(200)
    await a.as(actor).post(`/api/actors/${scout.actor_id}/start`).expect(200)
    await a.as(bob).post(`${space}/join`).expect(200)
    const event = `${space}/events/${await world.id('event_id')}`
    await a
      .as(bob)
      .put(`${event}/reactions/${encodeURIComponent('👍')}`)
      .expect(200)
    await a.as(bob).post(`/api/tenants/${tenantId}/leave`).expect(200)
    const open = await a.openSpace(cy)
    const dueIn = async (place: string, by: Actor) => {
      const proposal = { proposed_by: 'x', text: 'x', review_at: '2030-01-01' }
      return (await a.as(by).post(`${place}/decisions`, proposal).expect(200)).decision_id
    }
    const due = [await dueIn(space, actor), await dueIn(open, cy)]
    const held = await a.as(actor).post(`${space}/claims`, { key: 'deployment' }).expect(200)
    const other = await a.as(cy).post(`${open}/claims`, { key: 'deployment' }).expect(200)

    const address = `${actor.actor_id}@example.org`
    const { messages } = await sharedMail()
    const linkTo = (purpose: string) =>
      eventually(async () => {
        await hurry(a.connection)
        const link = new RegExp(`http\\S+/notifications/${purpose}/[\\w.~-]+`)
        return messages.flatMap(({ to, text }) => (to === address ? (link.exec(text) ?? []) : []))[0]
      })
    await a.as(actor).put('/api/actors/me/notifications', { email: address, delay_minutes: 0 }).expect(200)
    const links = [await linkTo('verify')]
    expect((await fetch(links[0] as string, { method: 'POST' })).status).toBe(200)
    links.push(await linkTo('unsubscribe'))

    expect(await move(tenantId, a, b)).toMatchObject({ complaints: [] })
    const reviewAt = (time: string) =>
      query(
        a.connection,
        `BEGIN; SET LOCAL spaces.carries_tenants = 'on';
         UPDATE decisions SET review_at = '${time}' WHERE decision_id IN (${due.map((id) => `'${id}'`)}); COMMIT`,
      )
    await reviewAt('now')
    await eventually(async () => {
      const { notices } = await a.as(cy).get('/api/actors/me/inbox').expect(200)
      return notices.some(({ kind }: { kind: string }) => kind === 'review_due')
    })
    for (const link of links) {
      const answer = await fetch(link, { method: 'POST' })
      expect([answer.status, await answer.json()]).toEqual([421, expect.objectContaining({ location: b.url })])
    }
    const store = await openDatabase({ connection: servingConnection(a.connection), poolSize: 2, log: () => {} })
    const parts = [
      { tenantId: asTenantId(tenantId), spaceId: spaceIdOf(space), actorId: actor.actor_id, claim: held },
      { tenantId: DEFAULT_TENANT, spaceId: spaceIdOf(open), actorId: cy.actor_id, claim: other },
    ]
    await Promise.all(parts.map((part) => store.inbox.given({ ...part, after: 0, through: 1_000 })))
    const progress = parts.map(({ claim: { claim_id, fence }, ...part }) => {
      return { ...part, holderId: part.actorId, claimId: claim_id, fence, text: 'Half' }
    })
    expect(await store.workClaims.progress(progress)).toBe(1)
    await store.close()

    for (const act of ['stop', 'start']) await a.as(bob).post(`/api/actors/${scout.actor_id}/${act}`).expect(200)
    await a.as(bob).delete(`/api/actors/${bob.actor_id}`).expect(200)
    await reviewAt('2030-01-01')
  })

  it('keeps former members in its histories, and leaves data of members in other tenants behind', async () => {
    const { tenantId, actor, world } = await furnish(a)
    const space = `/api/spaces/${await world.id('space_id')}`
    const { code } = await world.owner.post('/api/invites', {}).expect(200)
    const before = await a.registerHuman('Before')
    const shared = await a.openSpace(before)
    await a.as(before).post(`${shared}/speech`, { text: 'in the shared tenant' }).expect(200)
    await a.as(before).post('/api/invites/redeem', { code }).expect(200)
    const left = await a.registerHuman('Left')
    const second = await world.owner.post('/api/invites', {}).expect(200)
    await a.as(left).post('/api/invites/redeem', { code: second.code }).expect(200)
    await a.as(left).post(`${space}/join`).expect(200)
    await a.as(left).post(`${space}/speech`, { text: 'before I go' }).expect(200)
    await a.as(left).post(`/api/tenants/${tenantId}/leave`).expect(200)
    await a.as(left).patch(`/api/actors/${left.actor_id}`, { display_name: 'Elsewhere' }).expect(200)
    const people = (await world.owner.get(`${space}/participants`).expect(200)) as unknown[]

    expect(await operateAt(a, 'tenant', 'suspend', tenantId)).toMatchObject({ complaints: [] })
    expect(await move(tenantId, a, b)).toMatchObject({ complaints: [] })
    expect(await statusAt(b, tenantId)).toBe('suspended')
    await operateAt(b, 'tenant', 'reactivate', tenantId)
    expect(await b.as(actor).get(`${space}/participants`).expect(200)).toEqual(people)
    expect(people).toContainEqual(expect.objectContaining({ name: 'Left' }))
    await b.as(left).get('/api/actors/me').expect(401)
    await a.as(left).get('/api/actors/me').expect(200)
    await b.as(before).get('/api/actors/me').expect(200)

    const deleted = await operateAt(a, 'tenant', 'delete', tenantId, '--yes')
    expect(deleted.complaints).toEqual([])
    expect(deleted.lines[1]).toBe('Kept as deleted, as history elsewhere refers to them: 2 actors.')
    for (const member of [actor, before]) await a.as(member).get('/api/actors/me').expect(401)
    await a.as(left).get('/api/actors/me').expect(200)
    const events = await a.as(left).get(`${shared}/events`).expect(200)
    expect(events.at(-1)).toMatchObject({ text: 'in the shared tenant', posted_by: before.actor_id })
    await expectIntact(a)

    // Actors kept as deleted are replaced when they come back.
    expect(await move(tenantId, b, a)).toMatchObject({ complaints: [] })
    await a.as(before).get('/api/actors/me').expect(200)
    await a.as(left).get('/api/actors/me').expect(200)
    await expectIntact(a)
  })
})

describe('a move that fails', () => {
  const refusing = (table: string, status: string) => `
    CREATE FUNCTION refuse_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$;
    CREATE TRIGGER refuse_it BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (NEW.status = '${status}')
      EXECUTE FUNCTION refuse_it()`
  const allowing = 'DROP FUNCTION refuse_it CASCADE'

  it('before the arrival leaves the tenant in service at the source', async () => {
    const { tenantId, actor } = await furnish(a)
    await query(b.connection, refusing('tenants', 'active'))
    const { complaints } = await move(tenantId, a, b)
    expect(complaints).toEqual(['the disk is full. The tenant is in service where it was'])
    await a.as(actor).get('/api/actors/me').expect(200)
    await b.as(actor).get('/api/actors/me').expect(503)
    await query(b.connection, allowing)
    expect(await move(tenantId, a, b)).toMatchObject({ complaints: [] })
    await b.as(actor).get('/api/actors/me').expect(200)
  })

  it('after the arrival can be completed but not cancelled', async () => {
    const { tenantId, actor } = await furnish(a)
    await query(a.connection, refusing('tenants', 'moved'))
    const { complaints } = await move(tenantId, a, b)
    expect(complaints.join('')).toMatch(/^the disk is full\. The tenant is in service there, and not marked here/)
    await b.as(actor).get('/api/actors/me').expect(200)
    await a.as(actor).get('/api/actors/me').expect(503)
    expect((await move(tenantId, a, b, '--cancel')).complaints.join('')).toMatch(/in service there already/)
    await query(a.connection, allowing)
    expect(await move(tenantId, a, b)).toMatchObject({ complaints: [] })
    await a.as(actor).get('/api/actors/me').expect(421)
    expect((await move(tenantId, a, b)).complaints.join('')).toMatch(/has moved already/)
  })

  it('can be cancelled if it was interrupted while the tenant was out of service', async () => {
    const { tenantId, actor } = await furnish(a)
    await query(
      a.connection,
      `UPDATE tenants SET status = 'moving', status_before = 'active', location = $2 WHERE tenant_id = $1`,
      [tenantId, b.url],
    )
    await a.as(actor).get('/api/actors/me').expect(503)
    const other = await operateAt(
      a,
      'tenant',
      'move',
      tenantId,
      '--to-database',
      'postgres://127.0.0.1:1/x',
      '--location',
      b.url,
    )
    expect(other.complaints.join('')).toMatch(/^The database in --to-database cannot be used/)
    expect((await move(tenantId, a, b)).complaints.join('')).toMatch(/^A move of the tenant to .* has begun/)
    expect(await move(tenantId, a, b, '--cancel')).toMatchObject({ lines: [`Tenant ${tenantId} stays here.`] })
    await a.as(actor).get('/api/actors/me').expect(200)
    expect((await move(tenantId, a, b, '--cancel')).complaints.join('')).toMatch(/there is no move to cancel/)
  })

  it('because of a difference names it, and leaves the tenant in service at the source', async () => {
    const { tenantId, actor, world } = await furnish(a)
    await query(b.connection, refusing('tenants', 'active'))
    await move(tenantId, a, b)
    await query(b.connection, allowing)
    await query(b.connection, "SELECT set_config('spaces.carries_tenants', 'on', false)")
    await query(b.connection, 'UPDATE events SET wire = wire || $2 WHERE tenant_id = $1 AND position = 2', [
      tenantId,
      ' ',
    ])
    await query(b.connection, "SELECT set_config('spaces.carries_tenants', '', false)")
    const { complaints } = await move(tenantId, a, b)
    expect(complaints.join('')).toBe(
      `What arrived is not what was sent: events (${tenantId} ${await world.id('space_id')} 2) differs there`,
    )
    await a.as(actor).get('/api/actors/me').expect(200)
  })

  it('because webhooks would lose their secrets succeeds with --disable-webhooks', async () => {
    const { tenantId, actor } = await furnish(a)
    await query(b.connection, "UPDATE server_keys SET fingerprint = 'another'")
    expect((await move(tenantId, a, b)).complaints.join('')).toMatch(/^The tenant has webhooks \(1\)/)
    await a.as(actor).get('/api/actors/me').expect(200)
    const moved = await move(tenantId, a, b, '--disable-webhooks')
    expect(moved.lines[1]).toMatch(/^1 webhook disabled/)
    const [webhook] = await b.as(actor).get('/api/webhooks').expect(200)
    expect(webhook).toMatchObject({ disabled_reason: 'disabled' })
  })
})
