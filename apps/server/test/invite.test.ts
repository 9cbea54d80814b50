import { type Actor, query, spaceIdOf } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'
import { setTenantStatus } from './support/tenant.js'

const DAY_MS = 86_400_000
const body = (display_name: string, more: object = {}) => ({ display_name, email: 'new@example.org', ...more })

describe('invites', () => {
  const h = useServer()
  const mute = useServer({ SMTP_URL: '' }, h)

  /** Registers the admin of a new tenant. */
  async function admin(): Promise<Actor & { tenant_id: string }> {
    const ada = await h.registerHuman('Ada')
    const { tenant_id } = await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
    return { ...ada, tenant_id }
  }

  const invite = (actor: Actor, body: object = {}) => h.as(actor).post('/api/invites', body).expect(200)
  const redeem = (actor: Actor, code: string) => h.as(actor).post('/api/invites/redeem', { code })

  describe('POST /api/invites', () => {
    it('creates an invite that expires in a week, and stores no code', async () => {
      const ada = await admin()
      const before = Date.now()
      const made = await invite(ada)
      expect(made).toEqual({
        invite_id: expect.stringMatching(/^inv_[0-9A-Za-z]{24}$/),
        email: null,
        default_space_id: null,
        access: 'all',
        created_by: ada.actor_id,
        created_at: expect.any(String),
        expires_at: expect.any(String),
        revoked_at: null,
        redeemed_at: null,
        code: expect.stringMatching(/^inv_code_[0-9a-f]{64}$/),
        url: `${h.url}/join#${made.code}`,
        sent: false,
      })
      expect(Date.parse(made.created_at)).toBeGreaterThanOrEqual(before)
      expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(7 * DAY_MS)
      const { rows } = await query(h.connection, 'SELECT * FROM invites')
      expect(JSON.stringify(rows)).not.toContain(made.code.slice(-64))
    })

    it('accepts an address, a default space and an expiry', async () => {
      const ada = await admin()
      await h.openSpace(ada, 'lobby')
      const expires_at = new Date(Date.now() + 89 * DAY_MS).toISOString()
      const wanted = { email: 'bob@example.org', default_space_id: 'lobby', expires_at }
      expect(await invite(ada, wanted)).toMatchObject(wanted)
    })

    it('400 for an invalid address or expiry, 404 for an unknown space', async () => {
      const ada = await admin()
      await h
        .as(ada)
        .post('/api/invites', { email: 'zoe' })
        .expect(400, /^email: /)
      await h
        .as(ada)
        .post('/api/invites', { expires_at: 'soon' })
        .expect(400, /^expires_at: /)
      await h
        .as(ada)
        .post('/api/invites', { expires_at: new Date(Date.now() + 91 * DAY_MS).toISOString() })
        .expect(400, 'expires_at: must be at most 90 days from now')
      await h
        .as(ada)
        .post('/api/invites', { expires_at: '2020-01-01' })
        .expect(400, 'expires_at: must be in the future')
      await h.as(ada).post('/api/invites', { default_space_id: 'nowhere' }).expect(404, 'Space not found')
    })
  })

  describe('POST /api/invites/batch', () => {
    const batch = (actor: Actor, body: object) => h.as(actor).post('/api/invites/batch', body)
    const addresses = (count: number) => Array.from({ length: count }, (_, n) => `member${n}@example.org`)

    it('creates one invite per address, in order, which only that address can redeem', async () => {
      const ada = await admin()
      await h.openSpace(ada, 'lobby')
      const emails = addresses(100)
      const invites = await batch(ada, { emails, default_space_id: 'lobby' }).expect(200)
      expect(invites.map(({ email }: { email: string }) => email)).toEqual(emails)
      const [first, second] = invites
      expect(second).toMatchObject({ default_space_id: 'lobby', url: `${h.url}/join#${second.code}`, sent: false })
      await h.post('/api/actors', { ...body('Bob'), email: emails[1], code: first.code }).expect(404)
      const bob = await h.post('/api/actors', { ...body('Bob'), email: emails[1], code: second.code }).expect(200)
      expect(bob).toMatchObject({ tenant_id: ada.tenant_id, default_space_id: 'lobby' })
      const entries = await h.as(ada).get('/api/audit?action=invite.created&limit=200').expect(200)
      expect(entries).toHaveLength(100)
    })

    it('400 for no address or more than 100, and for an invalid or repeated one with its index', async () => {
      const ada = await admin()
      await batch(ada, {}).expect(400, 'emails: is required')
      await batch(ada, { emails: [] }).expect(400, 'emails: must not be empty')
      await batch(ada, { emails: addresses(101) }).expect(400, 'emails: must have at most 100 entries')
      await batch(ada, { emails: [...addresses(2), 'zoe'] }).expect(400, 'emails.2: must be an e-mail address')
      await batch(ada, { emails: ['a@example.org', 'A@example.org'] }).expect(400, 'emails.1: is there twice')
      expect(await h.as(ada).get('/api/invites').expect(200)).toEqual([])
    })

    it('409 for send on a server without e-mail, and 400 for send without an address', async () => {
      const ada = await admin()
      const sending = { emails: addresses(1), send: true }
      await mute
        .as(ada)
        .post('/api/invites/batch', sending)
        .expect(409, /^This server sends no e-mail/)
      await h.as(ada).post('/api/invites', { send: true }).expect(400, 'send: needs an `email`')
      expect(await h.as(ada).get('/api/invites').expect(200)).toEqual([])
    })
  })

  it.each(['invite_code', 'invite', 'inviteCode', 'token', 'api_key'])(
    'are redeemed by the field code only: a code in %s returns 400',
    async (name) => {
      const ada = await admin()
      const { code } = await invite(ada)
      const detail = `${name}: is not a field here: the code belongs in code, and a credential in the header Authorization`
      await h.post('/api/actors', body('Bob', { [name]: code })).expect(400, detail)
      await h.post('/api/actors', body('Bob', { code, [name]: code })).expect(400, detail)
      await h.post('/api/agent-codes/redeem', { [name]: code, installation_id: 'laptop' }).expect(400, detail)
      const bob = await h.registerHuman('Bob')
      await h
        .as(bob)
        .post('/api/invites/redeem', { [name]: code })
        .expect(400, detail)
      expect(
        await h
          .as(bob)
          .post('/api/invites/redeem', { code, [name]: null })
          .expect(200),
      ).toMatchObject({
        tenant_id: ada.tenant_id,
      })
    },
  )

  it('accept an API key in the query besides the code in the body', async () => {
    const bob = await h.registerHuman('Bob')
    await h.post(`/api/invites/redeem?token=${bob.api_key}`, { code: 'x' }).expect(404)
  })

  describe('GET /api/invites', () => {
    it('lists the tenant’s invites in the order of creation, without codes', async () => {
      const [ada, other] = [await admin(), await admin()]
      expect(await h.as(ada).get('/api/invites').expect(200)).toEqual([])
      await invite(other)
      const made = [await invite(ada), await invite(ada)]
      const listed = await h.as(ada).get('/api/invites').expect(200)
      expect(listed).toEqual(made.map(({ code: _, url: __, sent: ___, ...metadata }) => metadata))
    })
  })

  describe('DELETE /api/invites/{invite_id}', () => {
    it('revokes the invite for all actors, and is idempotent', async () => {
      const ada = await admin()
      const { invite_id, code } = await invite(ada)
      const revoke = () => h.as(ada).delete(`/api/invites/${invite_id}`).expect(200)
      const moment = async () => (await h.as(ada).get('/api/invites').expect(200))[0].revoked_at
      expect(await revoke()).toEqual({ ok: true })
      const revokedAt = await moment()
      expect(revokedAt).toEqual(expect.any(String))
      await revoke()
      expect(await moment()).toBe(revokedAt)
      await redeem(await h.registerHuman(), code).expect(404, 'Invite not found')
    })

    it('404 for an unknown invite and for one of another tenant', async () => {
      const [ada, other] = [await admin(), await admin()]
      const { invite_id, code } = await invite(other)
      for (const id of [invite_id, 'inv_x'])
        await h.as(ada).delete(`/api/invites/${id}`).expect(404, 'Invite not found')
      await redeem(await h.registerHuman(), code).expect(200)
    })
  })

  describe('POST /api/invites/redeem', () => {
    it('moves the human and its agents into the tenant, and into the default space', async () => {
      const ada = await admin()
      const space = await h.openSpace(ada)
      const { code } = await invite(ada, { default_space_id: spaceIdOf(space) })
      const bob = await h.registerHuman('Bob')
      const scout = await h.registerAgent(bob)
      const moved = await redeem(bob, code).expect(200)
      expect(moved).toMatchObject({
        actor_id: bob.actor_id,
        tenant_id: ada.tenant_id,
        default_space_id: spaceIdOf(space),
      })
      expect(await h.as(bob).get('/api/actors/me').expect(200)).toMatchObject(moved)
      const agent = await h.as(scout).get('/api/actors/me').expect(200)
      expect(agent).toMatchObject({ tenant_id: ada.tenant_id, default_space_id: null })
      const participants = await h.as(ada).get(`${space}/participants`).expect(200)
      expect(participants).toMatchObject([{ actor_id: bob.actor_id, agent_adapter: null }])
      expect((await h.as(ada).get('/api/invites').expect(200))[0].redeemed_at).toEqual(expect.any(String))
    })

    it('closes the streams of the tenant that the caller leaves', async () => {
      const ada = await admin()
      const bob = await h.registerHuman('Bob')
      const stream = await StreamReader.open(h.as(bob), await h.openSpace(bob))
      await redeem(bob, (await invite(ada)).code).expect(200)
      await stream.ended
    })

    it('sets no default space when the invite has none', async () => {
      const bob = await h.registerHuman('Bob')
      expect((await redeem(bob, (await invite(await admin())).code).expect(200)).default_space_id).toBeNull()
    })

    it('sets a default space that has been archived, but does not join it', async () => {
      const ada = await admin()
      const space = await h.openSpace(ada)
      const { code } = await invite(ada, { default_space_id: spaceIdOf(space) })
      await h.as(ada).post(`${space}/archive`).expect(200)
      const bob = await h.registerHuman('Bob')
      expect((await redeem(bob, code).expect(200)).default_space_id).toBe(spaceIdOf(space))
      expect(await h.as(ada).get(`${space}/participants`).expect(200)).toEqual([])
    })

    it('404 for a used, expired or unknown code, and leaves the caller in its tenant', async () => {
      const ada = await admin()
      const used = await invite(ada)
      await redeem(await h.registerHuman(), used.code).expect(200)
      const expired = await invite(ada)
      await query(h.connection, 'UPDATE invites SET expires_at = now() WHERE invite_id = $1', [expired.invite_id])
      const bob = await h.registerHuman('Bob')
      for (const code of [used.code, expired.code, `inv_code_${'0'.repeat(64)}`, 'x']) {
        await redeem(bob, code).expect(404, 'Invite not found')
      }
      await h
        .as(bob)
        .post('/api/invites/redeem', {})
        .expect(400, /^code: is required/)
      expect((await h.as(bob).get('/api/actors/me').expect(200)).tenant_id).toBeNull()
    })

    it('404 for the code of a former admin, and for the code of a suspended tenant', async () => {
      const [ada, grace] = [await admin(), await admin()]
      const [withdrawn, suspended] = [await invite(ada), await invite(grace)]
      await query(h.connection, 'UPDATE actors SET is_admin = false WHERE actor_id = $1', [ada.actor_id])
      await setTenantStatus(h.connection, grace.tenant_id, 'suspended')
      const bob = await h.registerHuman('Bob')
      for (const { code } of [withdrawn, suspended]) await redeem(bob, code).expect(404, 'Invite not found')
      const late = { display_name: 'Late', email: 'late@example.org', code: withdrawn.code }
      await h.post('/api/actors', late).expect(404, 'Invite not found')
    })

    it('404 for an invite with an address, except for an account with that address', async () => {
      const ada = await admin()
      const join = (email: string, code: string) => h.post('/api/actors', { display_name: 'Bob', email, code })
      const own = await h.post('/api/actors', body('Bob', { email: 'Bob@Example.org' })).expect(200)
      const other = await h.post('/api/actors', body('Eve', { email: 'eve@example.org' })).expect(200)

      const first = await invite(ada, { email: 'bob@example.ORG' })
      await redeem(other, first.code).expect(404, 'Invite not found')
      await join('eve@example.org', first.code).expect(404, 'Invite not found')
      await join('bob@example.org.evil.example', first.code).expect(404, 'Invite not found')
      expect(await h.as(ada).get('/api/invites').expect(200)).toMatchObject([{ redeemed_at: null }])
      expect(await redeem(own, first.code).expect(200)).toMatchObject({ tenant_id: ada.tenant_id })

      const second = await invite(ada, { email: 'bob@example.org' })
      expect(await join('BOB@example.org', second.code).expect(200)).toMatchObject({ tenant_id: ada.tenant_id })
      await join('bob@example.org', second.code).expect(404, 'Invite not found')
    })

    it('stops the caller’s agents until an admin of the tenant starts them', async () => {
      const [ada, bob] = [await admin(), await h.registerHuman('Bob')]
      const [scout, own] = [await h.registerAgent(bob), await h.registerAgent(ada, 'Home')]
      await h.as(bob).post(`/api/actors/${scout.actor_id}/stop`, { reason: 'Resting' }).expect(200)
      const [space, inbox] = [await h.openSpace(ada), '/api/actors/me/inbox']
      await redeem(bob, (await invite(ada)).code).expect(200)

      const stopped = {
        reason: 'Waiting for an admin of the tenant to admit it',
        stopped_by: ada.actor_id,
        stopped_at: expect.any(String),
      }
      expect(await h.as(bob).get('/api/actors/me/agents').expect(200)).toMatchObject([{ stopped }])
      const members = await h.as(ada).get(`/api/tenants/${ada.tenant_id}/members`).expect(200)
      const stops = members.map((member: Actor & { stopped: object | null }) => [member.actor_id, member.stopped])
      expect(Object.fromEntries(stops)).toEqual({
        [ada.actor_id]: null,
        [own.actor_id]: null,
        [bob.actor_id]: null,
        [scout.actor_id]: stopped,
      })
      await h.as(scout).get(`${space}/events`).expect(200)
      const speak = () => h.as(scout).post(`${space}/response`, { text: 'Hello' })
      await speak().expect(403, 'The agent is stopped: Waiting for an admin of the tenant to admit it')
      expect((await h.as(ada).get(inbox).expect(200)).notices).toMatchObject([
        { kind: 'agents_waiting', details: { sponsor_id: bob.actor_id, display_name: 'Bob', agents: 1 } },
      ])
      expect((await h.as(bob).get(inbox).expect(200)).notices).toEqual([])

      await h.as(ada).post(`/api/actors/${scout.actor_id}/start`).expect(200)
      await speak().expect(200)
    })

    it('stops no agents of a caller that creates a tenant instead', async () => {
      const bob = await h.registerHuman('Bob')
      const scout = await h.registerAgent(bob)
      await h.as(bob).post('/api/tenants', { name: 'Own' }).expect(200)
      await h
        .as(scout)
        .post(`${await h.openSpace(bob)}/join`)
        .expect(200)
    })

    it('admits exactly one of several concurrent callers', async () => {
      const ada = await admin()
      const { code } = await invite(ada)
      const humans = await Promise.all(['B', 'C', 'D', 'E'].map((name) => h.registerHuman(name)))
      const answers = await Promise.all(humans.map((human) => redeem(human, code)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
      const moved = await Promise.all(humans.map((human) => h.as(human).get('/api/actors/me').expect(200)))
      expect(moved.filter(({ tenant_id }) => tenant_id === ada.tenant_id)).toHaveLength(1)
    })

    it('leaves an admin of the same tenant an admin', async () => {
      const ada = await admin()
      await redeem(ada, (await invite(ada)).code).expect(200)
      await h.as(ada).get('/api/invites').expect(200)
    })
  })

  it('let a human register directly into the tenant', async () => {
    const ada = await admin()
    const { code } = await invite(ada)
    const bob = await h.post('/api/actors', body('Bob', { code })).expect(200)
    expect(bob.tenant_id).toBe(ada.tenant_id)
    await h.post('/api/actors', body('Cleo', { code })).expect(404, 'Invite not found')
  })
})

describe('REGISTRATION=closed', () => {
  const h = useServer({ REGISTRATION: 'closed' })

  it('returns 403 to humans without a code', async () => {
    await h.post('/api/actors', body('Eve')).expect(403, 'Registration is closed on this server')
    await h.post('/api/actors', body('Eve', { code: 'x' })).expect(404, 'Invite not found')
    const code = 'inv_code_of_the_operator'
    await query(
      h.connection,
      `INSERT INTO invites (invite_id, tenant_id, code_hash, grants_admin, created_at, expires_at)
       VALUES ('inv_first', '00000000-0000-4000-8000-000000000000', sha256($1::bytea), true, now(), now() + interval '1 day')`,
      [code],
    )
    const ada = await h.post('/api/actors', body('Ada', { code })).expect(200)
    expect(ada.tenant_id).toBeNull()
    const invited = await h.as(ada).post('/api/invites', {}).expect(200)
    const bob = await h.post('/api/actors', body('Bob', { code: invited.code })).expect(200)
    await h.as(bob).get('/api/spaces').expect(200)
    await h.as(bob).post('/api/actors', { display_name: 'Scout', actor_type: 'agent' }).expect(200)
  })
})
