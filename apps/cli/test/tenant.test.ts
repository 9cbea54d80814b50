import { describe, expect, it } from 'vitest'
import { signedInAs, spaces, terminal, useServer } from './support/index.js'

const server = useServer()

const someone = async (name: string) => {
  const actor = await server.registerHuman(name)
  return { actor, env: signedInAs(server, actor) }
}

const admin = async () => {
  const { actor, env } = await someone('Ada')
  const tenant = await server.as(actor).post('/api/tenants', { name: 'Acme' }).expect(200)
  return { actor, env, tenant }
}

describe('tenant', () => {
  it('is null at first, and can be created', async () => {
    const { actor, env } = await someone('Ada')
    expect((await spaces(['tenant', 'show', '--json'], { env }).expect(0)).json).toBeNull()
    await spaces(['tenant', 'create', 'Acme'], { env }).expect(2, '--yes is required')

    const person = terminal(['tenant', 'create', 'Acme'], { env })
    await person.waitFor('Move into a new tenant')
    person.type('y')
    expect(await person.end()).toBe(0)

    const { tenant_id } = await server.as(actor).get('/api/actors/me').expect(200)
    const shown = (await spaces(['tenant', 'show', '--json'], { env }).expect(0)).json
    expect(shown).toMatchObject({ tenant_id, name: 'Acme', status: 'active' })
    expect((await spaces(['tenant', 'show', tenant_id, '--json'], { env }).expect(0)).json).toEqual(shown)
  })

  it('is hidden from another tenant', async () => {
    const { tenant } = await admin()
    const { env } = await someone('Eve')
    await spaces(['tenant', 'show', tenant.tenant_id], { env }).expect(1)
  })
})

describe("the spaces of a tenant's founder", () => {
  it('are moved after confirmation, and the others are listed', async () => {
    const { actor, env } = await someone('Ada')
    const scout = await server.registerAgent(actor, 'Scout')
    const [mine, shared] = [await server.openSpace(actor), await server.openSpace(actor)]
    const [own, theirs] = [mine, shared].map((path) => path.split('/').at(-1) as string)
    await server.as(scout).post(`${mine}/speech`, { text: 'from the trial' }).expect(200)
    const bob = await server.registerHuman('Bob')
    await server.as(bob).post(`${shared}/join`).expect(200)
    await server.as(actor).post(`${mine}/links`, { target_id: theirs }).expect(200)

    const person = terminal(['tenant', 'create', 'Acme'], { env })
    await person.waitFor('Move into a new tenant with your agents and 1 space?')
    expect(person.screen).toContain(`These spaces come along: ${own}.`)
    expect(person.screen).toContain('Other people are, were or may come in it.')
    expect(person.screen).toContain('Your agents come along: Scout.')
    expect(person.screen).toContain('1 link to what stays behind will be removed.')
    person.type('n')
    await person.end()
    await server.as(actor).get(`${mine}/status`).expect(200)
    expect((await server.as(actor).get('/api/actors/me').expect(200)).tenant_id).toBeNull()

    const made = (await spaces(['tenant', 'create', 'Acme', '--yes', '--json'], { env }).expect(0)).json
    expect(made.spaces).toMatchObject({ moves: [{ space_id: own }], stays: [{ space_id: theirs }], links_removed: 1 })
    expect((await spaces(['read', own as string], { env }).expect(0)).stdout).toContain('from the trial')
    await spaces(['read', theirs as string], { env }).expect(1, 'Space not found')
  })

  it('stay behind with --leave-spaces', async () => {
    const { actor, env } = await someone('Ada')
    const path = await server.openSpace(actor)
    await server.as(actor).post(`${path}/join`).expect(200)
    const run = await spaces(['tenant', 'create', 'Acme', '--leave-spaces', '--yes'], { env }).expect(0)
    expect(run.stderr).toContain('These spaces stay behind: ')
    await server.as(actor).get(`${path}/status`).expect(404)
  })
})

describe('members', () => {
  it('are listed, promoted, and leave', async () => {
    const { actor, env } = await admin()
    const { code } = await server.as(actor).post('/api/invites', {}).expect(200)
    const grace = await someone('Grace')
    await server.as(grace.actor).post('/api/invites/redeem', { code }).expect(200)
    const scout = await server.registerAgent(actor)
    await server.as(actor).post('/api/spaces', { space_id: 'plans' }).expect(200)
    await server.as(actor).post('/api/spaces/plans/join').expect(200)
    const listed = (await spaces(['tenant', 'members'], { env }).expect(0)).stdout
    expect(listed).toMatch(new RegExp(`${actor.actor_id} +Ada +human +admin `))
    expect(listed).toMatch(new RegExp(`${grace.actor.actor_id} +Grace +human +member `))
    expect(listed).toMatch(new RegExp(`${scout.actor_id} +Scout +agent +agent of Ada `))

    const refused = await spaces(['tenant', 'leave', '--yes'], { env }).expect(5, 'The last admin', 'tenant promote')
    expect(refused.stderr).toContain('You leave the tenant Acme and stop being its admin.')
    expect(refused.stderr).toContain('These spaces stay behind: plans.')
    expect(refused.stderr).toContain('Your agents come along, and leave them too: Scout.')
    await spaces(['tenant', 'create', 'Other', '--yes'], { env }).expect(5, 'The last admin')
    await spaces(['account', 'delete', '--yes'], { env }).expect(5, 'The last admin', 'tenant promote')

    const promoted = (await spaces(['tenant', 'promote', grace.actor.actor_id, '--json'], { env }).expect(0)).json
    expect(promoted).toMatchObject({ actor_id: grace.actor.actor_id, is_admin: true })
    await spaces(['tenant', 'leave'], { env }).expect(2, '--yes is required')
    await spaces(['tenant', 'leave', '--yes'], { env }).expect(0)
    expect((await server.as(actor).get('/api/actors/me').expect(200)).tenant_id).toBeNull()
    await spaces(['tenant', 'members'], { env }).expect(1, 'You are in no tenant', 'spaces tenant create NAME')
    const alone = await spaces(['tenant', 'promote', grace.actor.actor_id, '--undo'], { env: grace.env })
    alone.expect(5, 'The last admin of a tenant cannot step down')
  })
})

describe('private spaces', () => {
  it('are listed for admins, who can become owners', async () => {
    const { actor, env } = await admin()
    expect((await spaces(['tenant', 'private-spaces'], { env }).expect(0)).stdout).toContain('no private spaces')
    const { code } = await server.as(actor).post('/api/invites', {}).expect(200)
    const grace = await someone('Grace')
    await server.as(grace.actor).post('/api/invites/redeem', { code }).expect(200)
    await server.as(grace.actor).post('/api/spaces', { space_id: 'hiring', visibility: 'private' }).expect(200)
    const listed = (await spaces(['tenant', 'private-spaces'], { env }).expect(0)).stdout
    expect(listed).toMatch(/^hiring +active +Grace +1 +0 +just now$/m)
    await spaces(['read', 'hiring'], { env }).expect(1, 'Space not found')
    await spaces(['participant', 'add', 'hiring', 'Ada', '--owner'], { env }).expect(0)
    await spaces(['read', 'hiring'], { env }).expect(0)
    const seen = (await spaces(['tenant', 'private-spaces', '--json'], { env }).expect(0)).json
    expect(seen).toMatchObject([{ space_id: 'hiring', owners: [actor.actor_id, grace.actor.actor_id].sort() }])
    await spaces(['tenant', 'private-spaces'], { env: grace.env }).expect(1, 'Only an admin of the tenant')
  })
})

describe('invite', () => {
  it('is a code that moves its holder into the tenant', async () => {
    const { env, actor, tenant } = await admin()
    await server.as(actor).post('/api/spaces', { space_id: 'plans' }).expect(200)
    const made = await spaces(['invite', 'create', '--space', 'plans'], { env }).expect(0)
    expect(made.stdout).toMatch(/^inv_code_[0-9a-f]+\n$/)
    expect(made.stderr).toContain('expires in 7 days')

    const grace = await someone('Grace')
    const redeem = ['invite', 'redeem', '--yes', '--json']
    const moved = (await spaces(redeem, { env: grace.env, stdin: made.stdout }).expect(0)).json
    expect(moved).toMatchObject({ tenant_id: tenant.tenant_id, default_space_id: 'plans' })
    await spaces(redeem, { env: grace.env, stdin: made.stdout }).expect(1, 'Invite not found')
    expect((await spaces(['invite', 'list'], { env }).expect(0)).stdout).toMatch(/plans .*redeemed just now/)
  })

  it('is created for each address in a file, and is redeemed by its link', async () => {
    const { env, tenant } = await admin()
    const emails = Array.from({ length: 101 }, (_, n) => `member${n}@example.org`)
    const stdin = ['# the team', ...emails, ''].join('\n')
    const made = await spaces(['invite', 'create', '--emails', '-'], { env, stdin }).expect(0)
    expect(made.stderr).toContain('Created 101 invites.')
    const lines = made.stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.split('\t')[0])).toEqual(emails)

    const grace = await someone('Grace')
    const link = (await spaces(['invite', 'create', '--json'], { env }).expect(0)).json.url
    const moved = await spaces(['invite', 'redeem', '--yes', '--json'], { env: grace.env, stdin: link }).expect(0)
    expect(moved.json).toMatchObject({ tenant_id: tenant.tenant_id })
  })

  it('names the line of an invalid address, and creates none of its batch', async () => {
    const { env } = await admin()
    const stdin = 'bob@example.org\n\ncarol\n'
    const create = ['invite', 'create', '--emails', '-']
    await spaces(create, { env, stdin }).expect(2, 'Line 3: carol must be an e-mail address')
    await spaces(create, { env, stdin: '\n' }).expect(2, 'There is no address in -')
    await spaces([...create, '--email', 'bob@example.org'], { env, stdin }).expect(2, 'cannot be used together')
    expect((await spaces(['invite', 'list', '--json'], { env }).expect(0)).json).toEqual([])
  })

  it('is typed without being shown', async () => {
    const { env } = await admin()
    const code = (await spaces(['invite', 'create'], { env }).expect(0)).stdout.trim()
    const grace = await someone('Grace')
    const person = terminal(['invite', 'redeem'], { env: grace.env })
    await person.waitFor('Invite code')
    person.type(code)
    person.press('enter')
    await person.waitFor('Move into the tenant')
    person.type('y')
    expect(await person.end()).toBe(0)
    expect(person.output).not.toContain(code)
    expect(person.screen).toMatch(/^tenant +[0-9a-f-]{36}$/m)
  })

  it('can be revoked, and expires at the given time', async () => {
    const { env } = await admin()
    const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    const made = (await spaces(['invite', 'create', '--expires', date, '--json'], { env }).expect(0)).json
    expect(made.expires_at).toBe(`${date}T00:00:00.000Z`)
    await spaces(['invite', 'create', '--expires', 'tomorrow'], { env }).expect(2, '--expires')
    await spaces(['invite', 'create', '--expires', '91d'], { env }).expect(1, 'expires_at')

    await spaces(['invite', 'revoke', made.invite_id], { env }).expect(2, '--yes is required')
    await spaces(['invite', 'revoke', made.invite_id, '--yes'], { env }).expect(0)
    const [listed] = (await spaces(['invite', 'list', '--json'], { env }).expect(0)).json
    expect(listed.revoked_at).not.toBeNull()
    expect(listed).not.toHaveProperty('code')
    const grace = await someone('Grace')
    await spaces(['invite', 'redeem', '--yes'], { env: grace.env, stdin: made.code }).expect(1, 'Invite not found')
  })

  it('is refused to members who are not admins', async () => {
    const { env } = await someone('Eve')
    await spaces(['invite', 'create'], { env }).expect(1)
  })
})

describe('removing a member', () => {
  it('asks for confirmation, and moves the member out of the tenant', async () => {
    const { env, actor } = await admin()
    const { code } = await server.as(actor).post('/api/invites', {}).expect(200)
    const grace = await someone('Grace')
    await server.as(grace.actor).post('/api/invites/redeem', { code }).expect(200)
    const remove = ['tenant', 'remove-member', grace.actor.actor_id]
    await spaces(remove, { env }).expect(2, '--yes is required')
    await spaces(remove, { env: grace.env }).expect(2, '--yes is required')
    await spaces([...remove, '--yes'], { env: grace.env }).expect(1, 'Only an admin of the tenant may do this')
    expect((await spaces([...remove, '--yes'], { env }).expect(0)).stdout).toBe(`Removed ${grace.actor.actor_id}.\n`)
    expect((await server.as(grace.actor).get('/api/actors/me').expect(200)).tenant_id).toBeNull()
    await spaces([...remove, '--yes'], { env }).expect(1, 'Actor not found')
    await spaces([...remove, '--yes'], { env: grace.env }).expect(1, 'You are in no tenant')
    await spaces(['tenant', 'remove-member', actor.actor_id, '--yes'], { env }).expect(5, 'The last admin')
  })
})
