import { TOKEN_SCOPES } from '@collab-spaces/domain'
import { type Actor, type Client, eventually, NOTHING } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { AGENT_LIMITS, UNLIMITED } from './support/actor.js'
import { operations } from './support/document.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'
import { foundTenant } from './support/tenant.js'
import { plainClient } from './support/trpc.js'
import { openWorld, REFERENCES, type World } from './support/world.js'

const h = useServer()
const PATH = '/api/personal-access-tokens'
const WIDER = 'A limited credential cannot create one with wider limits'

const tokenOf = async (actor: Actor, limits: object): Promise<string> =>
  (
    await h
      .as(actor)
      .post(PATH, { name: 'limited', ...limits })
      .expect(200)
  ).token

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const HOUR = 3_600_000

describe('a personal access token', () => {
  it("has its limits in the response, in the list, and in the caller's own actor", async () => {
    const { ada, space_id } = await h.adasSpace()
    const limits = { scopes: ['read', 'write'], space_ids: [space_id], expires_at: inMs(HOUR) }
    const { token, ...made } = await h
      .as(ada)
      .post(PATH, { name: 'ci', ...limits })
      .expect(200)
    expect(made).toMatchObject(limits)
    expect(await h.as(ada).get(PATH).expect(200)).toEqual([made])
    expect(await h.as(token).get('/api/actors/me').expect(200)).toMatchObject(limits)
    expect(await h.as(ada).get('/api/actors/me').expect(200)).toMatchObject(UNLIMITED)
  })

  it('is rejected with invalid limits', async () => {
    const { ada, space_id } = await h.adasSpace()
    const make = (limits: object) => h.as(ada).post(PATH, { name: 'x', ...limits })
    for (const scopes of [[], ['all'], 'read', {}, [1], [...TOKEN_SCOPES, 'read']]) {
      await make({ scopes }).expect(400, /^scopes/)
    }
    for (const space_ids of [[], [1], 'plans', Array.from({ length: 51 }, () => space_id)]) {
      await make({ space_ids }).expect(400, /^space_ids/)
    }
    for (const expires_at of [inMs(-1_000), 'soon', 7]) await make({ expires_at }).expect(400, /^expires_at: /)
    await make({ space_ids: [space_id, 'nowhere'] }).expect(404, 'Space not found')
  })
})

describe('a token limited to some spaces', () => {
  let home: World
  let owner: Actor
  let limited: Client
  let inside: string
  let outside: string

  beforeAll(async () => {
    const tenant = await foundTenant(h.connection)
    ;({ actor: owner, world: home } = await openWorld(h, h.connection, tenant))
    outside = await home.id('space_id')
    inside = `inside-${outside}`
    await home.owner.post('/api/spaces', { space_id: inside }).expect(200)
    for (const space of [inside, outside]) {
      await home.owner.post(`/api/spaces/${space}/join`).expect(200)
      await home.owner.post(`/api/spaces/${space}/speech`, { text: `A new word in ${space}` }).expect(200)
    }
    await home.owner.post(`/api/spaces/${inside}/links`, { target_id: outside }).expect(200)
    await home.owner.post('/api/invites', { default_space_id: outside }).expect(200)
    await home.owner.send('PUT', `/api/spaces/${outside}/policy`, { settle: { approvals: 1 } }).expect(200)
    limited = h.as(await tokenOf(owner, { space_ids: [inside] }))
  })

  const below = operations.filter(({ names }) => names.includes('space_id'))
  it.each(below.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'gets 404 for another space from %s',
    async (_title, operation) => {
      const { method, path, body } = await home.request(operation)
      const unknown = await home.request(operation, { space_id: 'nowhere' })
      const hidden = await limited.send(method, path, body)
      expect(hidden.expect(404)).toEqual((await limited.send(method, unknown.path, unknown.body)).expect(404))
    },
  )

  const naming = operations.flatMap((operation) => {
    if (operation.scope === 'account') return []
    const fields = [...operation.query.map(({ name }) => name), ...Object.keys(operation.body?.properties ?? {})]
    const spaces = fields.filter((field) => REFERENCES[field] === 'space_id')
    return spaces.map((field) => [operation.id, field, operation] as const)
  })
  it.each(naming)('gets 404 for another space from %s by its %s', async (_id, field, operation) => {
    const send = async (value: string) => {
      const { method, path, body } = await home.request(operation, { space_id: inside })
      const target = body ? path : `${path}${path.includes('?') ? '&' : '?'}${field}=${value}`
      return limited.send(method, target, body && { ...body, [field]: value })
    }
    expect((await send(outside)).expect(404)).toEqual((await send('nowhere')).expect(404))
  })

  const lists = operations.filter(
    // The stream has tests of its own.
    ({ id, method, names, scope }) =>
      method === 'GET' && names.length === 0 && scope !== 'account' && id !== 'actor_stream',
  )
  it.each(lists.map((operation) => [operation.path, operation] as const))(
    'sees no other space in %s',
    async (_path, operation) => {
      const { path } = await home.request(operation)
      const shown = JSON.stringify(await limited.get(path).expect(200)).replaceAll(inside, '')
      expect(shown).not.toContain(outside)
    },
  )

  it('sees no links to other spaces, also not in a search', async () => {
    const [link] = await home.owner.get(`/api/spaces/${inside}/links`).expect(200)
    expect(await limited.get(`/api/spaces/${inside}/links`).expect(200)).toEqual([])
    await limited.delete(`/api/spaces/${inside}/links/${link.link_id}`).expect(404, 'Link not found')
    const texts = async (client: Client) =>
      (await client.get(`/api/search?q=new&linked_to=${inside}`).expect(200)).map(
        ({ space_id }: { space_id: string }) => space_id,
      )
    expect(new Set(await texts(home.owner))).toEqual(new Set([inside, outside]))
    expect(await texts(limited)).toEqual([inside])
    await home.owner.get(`/api/spaces/${inside}/links`).expect(200)
  })

  it('opens its spaces over REST, typed calls and streams', async () => {
    await limited.post(`/api/spaces/${inside}/speech`, { text: 'here' }).expect(200)
    const typed = plainClient(h.url, limited.key)
    expect(await typed.space.list.query({})).toMatchObject([{ space_id: inside }])
    await expect(typed.space.status.query({ space_id: outside })).rejects.toMatchObject({ data: { httpStatus: 404 } })
    const reader = await StreamReader.open(limited, `/api/spaces/${inside}`)
    await limited.post(`/api/spaces/${inside}/speech`, { text: 'live' }).expect(200)
    await reader.read(1)
    await reader.close()
    await limited.get(`/api/spaces/${outside}/events/stream`).expect(404, 'Space not found')
  })

  it('cannot create spaces', async () => {
    await limited.post('/api/spaces', { space_id: `other-${inside}` }).expect(404, 'Space not found')
    await limited.post('/api/spaces', { space_id: outside }).expect(404, 'Space not found')
    await limited.post('/api/spaces', { space_id: inside }).expect(409)
  })

  it('opens no space with the same ID in a tenant that its actor moves to', async () => {
    const ada = await h.registerHuman()
    const space = await h.openSpace(ada)
    const space_id = space.split('/').at(-1) as string
    const token = await tokenOf(ada, { space_ids: [space_id] })
    await h.as(ada).post('/api/tenants', { name: 'Elsewhere' }).expect(200)
    await h.openSpace(ada, space_id)
    await h.as(ada).get(`${space}/status`).expect(200)
    await h.as(token).get(`${space}/status`).expect(404, 'Space not found')
    expect(await h.as(token).get('/api/spaces').expect(200)).toEqual([])
  })
})

describe('the expiry of a credential', () => {
  it('returns 401 with the reason, and ends streams', async () => {
    const { ada, path: space } = await h.adasSpace()
    const expires_at = inMs(2_000)
    const token = await tokenOf(ada, { expires_at })
    const reader = await StreamReader.open(h.as(token), space)
    await reader.ended
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at))
    const refused = await h.as(token).get('/api/actors/me').expect(401, 'The credential has expired')
    expect(refused.error).toBe('token_expired')
    await h.as(token).post('/api/actors', { display_name: 'Scout', actor_type: 'agent' }).expect(401)
    await h.as(ada).get('/api/actors/me').expect(200)
  })

  it('lets only the sponsor replace the expired key of an agent', async () => {
    const ada = await h.registerHuman()
    const body = { display_name: 'Scout', actor_type: 'agent', expires_at: inMs(1_000) }
    const scout = await h.as(ada).post('/api/actors', body).expect(200)
    await eventually(async () => (await h.as(scout).get('/api/actors/me')).status === 401)
    const rotate = `/api/actors/${scout.actor_id}/rotate-key`
    await h.as(scout).post(rotate).expect(401, 'The credential has expired')
    await h.as(ada).post(rotate).expect(400, 'expires_at: must be in the future')
    const renewed = await h
      .as(ada)
      .post(rotate, { expires_at: inMs(HOUR) })
      .expect(200)
    await h.as(renewed).get('/api/actors/me').expect(200)
  })
})

describe('the key of an agent', () => {
  it('has the limits that its sponsor sets, and keeps them on rotation', async () => {
    const { ada, space_id } = await h.adasSpace()
    const limits = { scopes: ['read', 'write'], space_ids: [space_id], expires_at: inMs(HOUR) }
    const body = { display_name: 'Scout', actor_type: 'agent', ...limits }
    const first = await h.as(ada).post('/api/actors', body).expect(200)
    expect(first).toMatchObject(limits)
    const rotate = `/api/actors/${first.actor_id}/rotate-key`
    const second = await h.as(first).post(rotate).expect(200)
    expect(second).toMatchObject(limits)
    const third = await h.as(ada).post(rotate).expect(200)
    expect(await h.as(third).get('/api/actors/me').expect(200)).toMatchObject(limits)

    for (const wider of [{ scopes: ['settle'] }, { expires_at: inMs(2 * HOUR) }]) {
      await h.as(third).post(rotate, wider).expect(403, WIDER)
    }
    await h
      .as(third)
      .post(rotate, { space_ids: ['elsewhere'] })
      .expect(404, 'Space not found')
    const narrower = await h
      .as(third)
      .post(rotate, { scopes: ['read'] })
      .expect(200)
    expect(narrower).toMatchObject({ ...limits, scopes: ['read'] })
    const wide = await h
      .as(ada)
      .post(rotate, { scopes: ['read', 'write'] })
      .expect(200)
    expect(wide).toMatchObject({ ...UNLIMITED, scopes: ['read', 'write'] })
  })

  it('has the scopes read, write and settle unless others are requested', async () => {
    const { ada, client, path } = await h.adasSpace()
    const scout = await client.post('/api/actors', { display_name: 'Scout', actor_type: 'agent' }).expect(200)
    expect(scout).toMatchObject(AGENT_LIMITS)
    const as = h.as(scout)
    await as.post('/api/spaces', { space_id: `scouts-${scout.actor_id}` }).expect(200)
    await as.post(`${path}/join`).expect(200)
    await as.post(`${path}/links`, { target_uri: 'https://example.org' }).expect(200)
    await as.post(`${path}/archive`).expect(403, 'Token lacks the scope "manage"')
    const keeper = await h.registerAgent(ada, 'Keeper', { scopes: ['manage', 'account'] })
    expect(await client.post(`/api/actors/${keeper.actor_id}/rotate-key`).expect(200)).toMatchObject({
      ...UNLIMITED,
      scopes: ['manage', 'account'],
    })
    const until = { expires_at: inMs(HOUR) }
    expect(await client.post(`/api/actors/${keeper.actor_id}/rotate-key`, until).expect(200)).toMatchObject({
      ...AGENT_LIMITS,
      ...until,
    })
  })

  it('is the only key with limits: they are rejected for humans', async () => {
    const ada = await h.registerHuman()
    const human = { display_name: 'Eve', email: 'eve@example.org', scopes: ['read'] }
    await h.post('/api/actors', human).expect(400, 'scopes: is for agents only')
    await h
      .as(ada)
      .post(`/api/actors/${ada.actor_id}/rotate-key`, { scopes: ['read'] })
      .expect(400, 'actor_id: must be an agent: only the keys of agents can have limits')
  })
})

describe('a limited token', () => {
  it('creates credentials with its own limits or narrower ones, and rejects wider ones', async () => {
    const { ada, space_id } = await h.adasSpace()
    const limits = { scopes: ['read', 'write', 'account'], expires_at: inMs(HOUR) }
    const token = h.as(await tokenOf(ada, limits))
    const agent = { display_name: 'Scout', actor_type: 'agent' }
    const makers = [
      [PATH, { name: 'x' }, limits],
      ['/api/actors', agent, { ...limits, scopes: ['read', 'write'] }],
    ] as const
    for (const [path, body, usual] of makers) {
      expect(await token.post(path, body).expect(200)).toMatchObject(usual)
      const narrower = { scopes: ['read'], space_ids: [space_id] }
      expect(await token.post(path, { ...body, ...narrower }).expect(200)).toMatchObject(narrower)
      await token.post(path, { ...body, scopes: ['read', 'settle'] }).expect(403, WIDER)
      await token.post(path, { ...body, expires_at: inMs(2 * HOUR) }).expect(403, WIDER)
    }
  })

  it('gets 404 from starting a conversation outside its spaces', async () => {
    const { ada, client, space_id } = await h.adasSpace()
    const { actor_id } = await h.registerHuman('Bob')
    const start = async (limits: object) =>
      h.as(await tokenOf(ada, limits)).post('/api/conversations', { actor_ids: [actor_id] })
    ;(await start({ space_ids: [space_id] })).expect(404, 'Space not found')
    const talk = await client.post('/api/conversations', { actor_ids: [actor_id] }).expect(200)
    ;(await start({ space_ids: [space_id] })).expect(404, 'Space not found')
    ;(await start({ space_ids: [talk.space_id] })).expect(200)
  })

  it('cannot rotate a key without limits', async () => {
    const ada = await h.registerHuman()
    const scout = await h.registerAgent(ada)
    for (const limits of [{ scopes: ['account'] }, { expires_at: inMs(HOUR) }]) {
      const token = h.as(await tokenOf(ada, limits))
      for (const { actor_id } of [ada, scout]) {
        await token.post(`/api/actors/${actor_id}/rotate-key`).expect(403, WIDER)
      }
    }
    await h.as(ada).get('/api/actors/me').expect(200)
    await h.as(scout).get('/api/actors/me').expect(200)
  })

  it('cannot create an invite, whose redemption would give a key without limits', async () => {
    const { world } = await openWorld(h, h.connection, await foundTenant(h.connection))
    const { token } = await world.owner.post(PATH, { name: 'x', scopes: ['account'] }).expect(200)
    await h.as(token).post('/api/invites', {}).expect(403, WIDER)
    await h.as(token).get('/api/invites').expect(200)
    await h.as(token).delete(`/api/invites/${NOTHING}`).expect(404)
  })
})
