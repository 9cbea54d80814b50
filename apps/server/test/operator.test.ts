import { DomainError } from '@collab-spaces/domain'
import { type Actor, NOTHING, query, UNKNOWN_ACTOR, urlOf } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { operate as operateByProcess } from './support/operate.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'

const h = useServer()
const operate = operatorOf(h)

const DEFAULT_SCOPE = '00000000-0000-4000-8000-000000000000'

const refusedWith = (detail: string) => expect.objectContaining({ detail })

async function founder(name = 'Acme'): Promise<Actor & { tenant_id: string }> {
  const ada = await h.registerHuman('Ada')
  const { tenant_id } = await h.as(ada).post('/api/tenants', { name }).expect(200)
  return { ...ada, tenant_id }
}

describe('tenant list', () => {
  it('lists all tenants, the shared default tenant first', async () => {
    const [first, second] = [await founder('First'), await founder('Second & Söhne')]
    const [head, shared, ...rest] = await operate('tenant', 'list')
    expect(head?.split(/ {2,}/)).toEqual(['TENANT', 'STATUS', 'CREATED', 'NAME'])
    expect(shared).toMatch(new RegExp(`^${DEFAULT_SCOPE} +active .*\\(shared default tenant\\)$`))
    const tenants = rest.map((line) => line.split(/ {2,}/))
    expect(tenants).toContainEqual([first.tenant_id, 'active', expect.any(String), 'First'])
    expect(tenants).toContainEqual([second.tenant_id, 'active', expect.any(String), 'Second & Söhne'])
  })

  it('lists 1,000 tenants, each once and in order', async () => {
    await query(
      h.connection,
      `INSERT INTO tenants (tenant_id, name, schema_name, status, created_at)
       SELECT gen_random_uuid(), 'Team ' || n, 'tenant_team_' || n, 'active', now() + n / 3 * interval '1 ms'
       FROM generate_series(1, 1000) n`,
    )
    const { rows } = await query(h.connection, 'SELECT tenant_id FROM tenants ORDER BY created_at, tenant_id')
    const all = rows.map(({ tenant_id }) => tenant_id)
    expect((await operate('tenant', 'list')).slice(1).map((line) => line.split(' ')[0])).toEqual(all)
    const listed = JSON.parse((await operate('tenant', 'list', '--json')).join('\n'))
    expect(listed.map((tenant: { tenant_id: string }) => tenant.tenant_id)).toEqual(all)
    expect(listed.at(-1)).toMatchObject({ name: expect.stringMatching(/^Team /), status: 'active' })
  })
})

describe('tenant show and set', () => {
  it('show a tenant with its settings', async () => {
    const { tenant_id } = await founder('Acme')
    const tenant = JSON.parse((await operate('tenant', 'show', tenant_id, '--json')).join('\n'))
    expect(tenant).toEqual({
      tenant_id,
      name: 'Acme',
      schema_name: expect.stringMatching(/^tenant_acme_/),
      status: 'active',
      created_at: expect.any(String),
      allows_language_model: true,
    })
    expect(await operate('tenant', 'show', tenant_id)).toContain('language model  on')
    expect(await operate('tenant', 'set', tenant_id, '--language-model', 'off')).toContain('language model  off')
    expect(await operate('tenant', 'show', tenant_id.toUpperCase())).toContain('language model  off')
  })

  it('accept the shared default tenant, and refuse an unknown one', async () => {
    for (const state of ['off', 'on']) {
      const lines = await operate('tenant', 'set', DEFAULT_SCOPE, '--language-model', state)
      expect(lines).toEqual(
        expect.arrayContaining(['name            (shared default tenant)', `language model  ${state}`]),
      )
    }
    for (const id of [NOTHING, 'nothing']) {
      await expect(operate('tenant', 'show', id)).rejects.toEqual(refusedWith('Tenant not found'))
      const setting = operate('tenant', 'set', id, '--language-model', 'off')
      await expect(setting).rejects.toEqual(refusedWith('Tenant not found'))
    }
  })
})

describe('tenant suspend and reactivate', () => {
  it('take effect at once on a running server and its streams', async () => {
    const ada = await founder()
    const space = await h.openSpace(ada)
    const stream = await StreamReader.open(h.as(ada), space)
    expect(await operate('tenant', 'suspend', ada.tenant_id)).toEqual([`Tenant ${ada.tenant_id} is suspended.`])
    await h.as(ada).get('/api/actors/me').expect(403, 'Tenant is suspended')
    await stream.ended
    const [, , ...rest] = await operate('tenant', 'list')
    expect(rest.find((line) => line.startsWith(ada.tenant_id))).toContain('suspended')

    expect(await operate('tenant', 'reactivate', ada.tenant_id)).toEqual([`Tenant ${ada.tenant_id} is active.`])
    await h.as(ada).get(`${space}/status`).expect(200)
  })

  it('leave other tenants alone', async () => {
    const [ada, bob] = [await founder(), await founder()]
    await operate('tenant', 'suspend', ada.tenant_id)
    await h.as(bob).get('/api/actors/me').expect(200)
    await h
      .as(await h.registerHuman())
      .get('/api/actors/me')
      .expect(200)
  })

  it.each(['suspend', 'reactivate'])('%s refuses the shared default tenant and unknown tenants', async (command) => {
    const refused = refusedWith('The shared default tenant cannot be suspended')
    await expect(operate('tenant', command, DEFAULT_SCOPE)).rejects.toEqual(refused)
    for (const id of [NOTHING, 'nothing']) {
      await expect(operate('tenant', command, id)).rejects.toEqual(refusedWith('Tenant not found'))
    }
    await h
      .as(await h.registerHuman())
      .get('/api/actors/me')
      .expect(200)
  })
})

describe('admin grant and withdraw', () => {
  it('make a human an admin of its tenant, and an ordinary member again', async () => {
    const ada = await founder()
    const { code } = await h.as(ada).post('/api/invites', {}).expect(200)
    const bob = await h.post('/api/actors', { display_name: 'Bob', email: 'b@example.org', code }).expect(200)
    await h.as(bob).get('/api/invites').expect(403)
    expect(await operate('admin', 'grant', bob.actor_id)).toEqual([
      `Bob (${bob.actor_id}) is an admin of tenant ${ada.tenant_id}.`,
    ])
    await h.as(bob).get('/api/invites').expect(200)
    const [line] = await operate('admin', 'withdraw', bob.actor_id)
    expect(line).toContain('no longer an admin')
    await h.as(bob).get('/api/invites').expect(403)
  })

  it('keep the last admin of a tenant without --force', async () => {
    const ada = await founder()
    const only = `Ada (${ada.actor_id}) is the only admin of tenant ${ada.tenant_id}: make another human an admin first, or add --force`
    await expect(operate('admin', 'withdraw', ada.actor_id)).rejects.toEqual(refusedWith(only))
    await h.as(ada).get('/api/invites').expect(200)
    await operate('admin', 'withdraw', ada.actor_id, '--force')
    await h.as(ada).get('/api/invites').expect(403)
    // The withdrawal is no error for a human who is no admin.
    await operate('admin', 'withdraw', ada.actor_id)
  })

  it('refuse agents and unknown actors', async () => {
    const scout = await h.registerAgent(await founder())
    for (const command of ['grant', 'withdraw']) {
      await expect(operate('admin', command, scout.actor_id)).rejects.toBeInstanceOf(DomainError)
      for (const id of [UNKNOWN_ACTOR, 'x']) {
        await expect(operate('admin', command, id)).rejects.toEqual(refusedWith('Actor not found'))
      }
    }
  })
})

describe('invite admin', () => {
  it('creates a one-time code whose redeemer becomes an admin of the tenant', async () => {
    const { tenant_id } = await founder()
    const [message, code] = await operate('invite', 'admin', '--tenant', tenant_id, '--email', 'ada@example.org')
    expect(message).toContain(`tenant ${tenant_id}`)
    const bob = await h.registerHuman('Bob')
    expect((await h.as(bob).post('/api/invites/redeem', { code }).expect(200)).tenant_id).toBe(tenant_id)
    expect(await h.as(bob).get('/api/invites').expect(200)).toMatchObject([
      { email: 'ada@example.org', created_by: null, redeemed_at: expect.any(String) },
    ])
    await h
      .as(await h.registerHuman())
      .post('/api/invites/redeem', { code })
      .expect(404, 'Invite not found')
  })

  it('creates a code for the shared default tenant by default', async () => {
    const [, code] = await operate('invite', 'admin')
    const ada = await h.post('/api/actors', { display_name: 'Ada', email: 'a@example.org', code }).expect(200)
    expect(ada.tenant_id).toBeNull()
    await h.as(ada).get('/api/invites').expect(200)
  })

  it('refuses an unknown tenant', async () => {
    for (const id of [NOTHING, 'nothing']) {
      await expect(operate('invite', 'admin', '--tenant', id)).rejects.toEqual(refusedWith('Tenant not found'))
    }
  })
})

describe('tenant create', () => {
  it('creates a tenant, and an invite for its first admin', async () => {
    const [message, , code] = await operate('tenant', 'create', '  Acme  ', '--email', 'ada@example.org')
    const [, tenant_id] = /^Tenant (\S+) was created/.exec(message ?? '') ?? []
    const ada = await h.post('/api/actors', { display_name: 'Ada', email: 'ada@example.org', code }).expect(200)
    expect(ada.tenant_id).toBe(tenant_id)
    expect(await h.as(ada).get(`/api/tenants/${tenant_id}`).expect(200)).toMatchObject({ name: 'Acme' })
    expect(await h.as(ada).get('/api/invites').expect(200)).toMatchObject([{ email: 'ada@example.org' }])
    const actions = (await h.as(ada).get('/api/audit').expect(200)).map(({ action }: { action: string }) => action)
    expect(actions.reverse().slice(0, 2)).toEqual(['tenant.created', 'invite.created'])
  })

  it('refuses an address that no invite can be redeemed with, and creates nothing', async () => {
    const before = await operate('tenant', 'list')
    const environment = { DATABASE_URL: urlOf(h.connection) }
    const refused = await operateByProcess(environment, 'tenant', 'create', 'Acme', '--email', 'for Ada')
    expect(refused).toMatchObject({
      code: 1,
      complaints: [expect.stringMatching(/must be an e-mail address/), expect.anything()],
    })
    expect(await operate('tenant', 'list')).toEqual(before)
  })

  it('prints the tenant and its invite as JSON', async () => {
    const made = JSON.parse((await operate('tenant', 'create', 'Acme', '--json')).join('\n'))
    expect(made).toMatchObject({ name: 'Acme', status: 'active', invite: { email: null, code: expect.any(String) } })
  })
})

describe('space list', () => {
  it('lists the spaces of a tenant, newest first, and none of another', async () => {
    const [ada, eve] = [await founder(), await founder()]
    await h.as(ada).post('/api/spaces', { space_id: 'plans', title: 'Trip', description: 'Two\nlines' }).expect(200)
    await h.as(ada).post('/api/spaces', { space_id: 'old' }).expect(200)
    await h.as(ada).post('/api/spaces/old/archive').expect(200)
    await h.as(eve).post('/api/spaces', { space_id: 'hers' }).expect(200)
    const [heading, ...lines] = await operate('space', 'list', ada.tenant_id)
    expect(heading?.split(/ {2,}/)).toEqual(['SPACE', 'STATUS', 'STARTED', 'EVENTS', 'TITLE', 'DESCRIPTION'])
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ['old', 'archived', expect.any(String), '0', '-'],
      ['plans', 'active', expect.any(String), '0', 'Trip', 'Two lines'],
    ])
    const listed = JSON.parse(
      (await operate('space', 'list', ada.tenant_id, '--status', 'active', '--json')).join('\n'),
    )
    // The operator's list has no preferences of a caller.
    expect(await h.as(ada).get('/api/spaces?status=active').expect(200)).toMatchObject(listed)
    expect(listed[0]).not.toHaveProperty('preferences')
    await expect(operate('space', 'list', NOTHING)).rejects.toEqual(refusedWith('Tenant not found'))
  })
})
