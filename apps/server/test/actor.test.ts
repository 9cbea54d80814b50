import { query, UNKNOWN_ACTOR } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { AGENT_LIMITS, EVERYTHING, UNLIMITED, withoutKey } from './support/actor.js'
import { TIMESTAMP } from './support/form.js'
import { useServer } from './support/server.js'
import { foundTenant, moveInto } from './support/tenant.js'

const h = useServer()

const NOT_YOURS = 'Only the human or the sponsor of the agent may do this'
const NOT_YOURS_TO_OPERATE = 'Only the actor or its sponsor may do this'
const MOMENT = expect.stringMatching(TIMESTAMP)

describe('POST /api/actors for a human', () => {
  it('needs no key, and returns the actor with its API key', async () => {
    const sent = { display_name: 'Ada', email: 'ada@example.org' }
    expect(await h.post('/api/actors', sent).expect(200)).toEqual({
      connection: null,
      stopped: null,
      actor_id: expect.stringMatching(/^usr_[0-9A-Za-z]{24}$/),
      display_name: 'Ada',
      actor_type: 'human',
      email: 'ada@example.org',
      default_space_id: null,
      sponsor_id: null,
      tenant_id: null,
      agent_profile: null,
      title: null,
      time_zone: null,
      picture: null,
      metadata: null,
      created_at: MOMENT,
      ...UNLIMITED,
      api_key: expect.stringMatching(/^svc_[0-9a-f]{64}$/),
    })
  })

  it('stores the optional fields, and ignores unknown ones', async () => {
    const sent = { display_name: ' Ada  L ', actor_type: 'human', email: 'a@b.org', metadata: { team: 'x', n: [1.5] } }
    const ada = await h.post('/api/actors', { ...sent, agent_profile: 'none', unknown: 1 }).expect(200)
    expect(ada).toMatchObject({ ...sent, display_name: 'Ada  L', agent_profile: 'none' })
    expect(ada).not.toHaveProperty('unknown')
    const { api_key: _, ...shown } = ada
    expect(await h.as(ada).get('/api/actors/me').expect(200)).toEqual(shown)
  })

  it('accepts null for optional fields', async () => {
    const sent = { display_name: 'Ada', actor_type: null, email: 'a@b.org', agent_profile: null, metadata: null }
    const ada = await h.post('/api/actors', sent).expect(200)
    expect(ada).toMatchObject({ actor_type: 'human', agent_profile: null, metadata: null })
  })

  it('ignores any key that is sent, even an invalid one', async () => {
    const ada = await h.registerHuman()
    const agent = await h.registerAgent(ada)
    for (const key of [ada.api_key, agent.api_key, 'nonsense']) {
      const grace = await h.as(key).post('/api/actors', { display_name: 'Grace', email: 'g@b.org' }).expect(200)
      expect(grace.sponsor_id).toBe(null)
    }
  })

  it('accepts an e-mail address in a local network', async () => {
    const sent = { display_name: 'Ada', email: 'ada@localhost' }
    expect(await h.post('/api/actors', sent).expect(200)).toMatchObject({ email: 'ada@localhost' })
  })

  it('accepts an e-mail address that another actor has', async () => {
    const [one, two] = [await h.registerHuman(), await h.registerHuman()]
    expect(one.actor_id).not.toBe(two.actor_id)
    expect(one.api_key).not.toBe(two.api_key)
  })

  it.each([
    ['no body', undefined, 'display_name: is required'],
    ['no name', { email: 'a@b.org' }, 'display_name: is required'],
    ['a name that is null', { display_name: null, email: 'a@b.org' }, 'display_name: is required'],
    ['a name that is a number', { display_name: 7, email: 'a@b.org' }, 'display_name: must be a string'],
    ['a blank name', { display_name: ' \t', email: 'a@b.org' }, 'display_name: must not be empty'],
    [
      'a name that is too long',
      { display_name: 'x'.repeat(101), email: 'a@b.org' },
      'display_name: must be at most 100 characters, not 101',
    ],
    ['no address', { display_name: 'Ada' }, 'email: is required for a human actor'],
    ['a malformed address', { display_name: 'Ada', email: 'ada' }, 'email: must be an e-mail address'],
    ['an address that is empty', { display_name: 'Ada', email: '' }, 'email: must not be empty'],
    [
      'another type',
      { display_name: 'Ada', email: 'a@b.org', actor_type: 'robot' },
      'actor_type: must be one of human, agent',
    ],
    [
      'metadata that is a list',
      { display_name: 'Ada', email: 'a@b.org', metadata: [] },
      'metadata: must be a JSON object',
    ],
    [
      'a profile that is a number',
      { display_name: 'Ada', email: 'a@b.org', agent_profile: 1 },
      'agent_profile: must be a string',
    ],
  ])('returns 400 for %s', async (_what, body, detail) => {
    await h.post('/api/actors', body).expect(400, detail)
  })

  it('counts the length of a name in code points, after trimming', async () => {
    const name = '🐙'.repeat(100)
    const ada = await h.post('/api/actors', { display_name: ` ${name} `, email: 'a@b.org' }).expect(200)
    expect(ada.display_name).toBe(name)
  })
})

describe('POST /api/actors for an agent', () => {
  const scout = { display_name: 'Scout', actor_type: 'agent' }

  it('requires the key of a sponsor, and puts the agent into the tenant of the sponsor', async () => {
    const ada = await h.registerHuman()
    const tenant = await foundTenant(h.connection)
    await moveInto(h.connection, tenant, ada)
    const sent = { ...scout, agent_profile: 'Looks around', metadata: { model: 'm' } }
    expect(await h.as(ada).post('/api/actors', sent).expect(200)).toEqual({
      ...sent,
      title: null,
      time_zone: null,
      picture: null,
      connection: null,
      stopped: null,
      actor_id: expect.stringMatching(/^agt_[0-9A-Za-z]{24}$/),
      email: null,
      default_space_id: null,
      sponsor_id: ada.actor_id,
      tenant_id: tenant,
      created_at: MOMENT,
      ...AGENT_LIMITS,
      api_key: expect.stringMatching(/^svc_[0-9a-f]{64}$/),
    })
  })

  it('ignores an e-mail address', async () => {
    const ada = await h.registerHuman()
    const sent = { ...scout, email: 'a@b.org' }
    expect((await h.as(ada).post('/api/actors', sent).expect(200)).email).toBe(null)
  })

  it('returns 401 without a key, and 403 with the key of an agent', async () => {
    await h.post('/api/actors', scout).expect(401, 'Authentication required')
    const agent = await h.registerAgent(await h.registerHuman())
    await h.as(agent).post('/api/actors', scout).expect(403, 'Only a human actor may do this')
  })

  it('returns 400 without a name', async () => {
    const ada = await h.registerHuman()
    await h.as(ada).post('/api/actors', { actor_type: 'agent' }).expect(400, 'display_name: is required')
  })
})

describe('GET /api/actors/me', () => {
  it('returns the caller without its key', async () => {
    const ada = await h.registerHuman()
    for (const actor of [ada, await h.registerAgent(ada)]) {
      const { api_key: _, ...shown } = actor
      expect(await h.as(actor).get('/api/actors/me').expect(200)).toEqual(shown)
    }
  })
})

describe('GET /api/actors/me/spaces', () => {
  it('lists the spaces that the caller has joined, newest first', async () => {
    const ada = await h.registerHuman()
    expect(await h.as(ada).get('/api/actors/me/spaces').expect(200)).toEqual([])

    const paths = [await h.openSpace(ada), await h.openSpace(ada), await h.openSpace(ada)]
    await h.openSpace(ada)
    for (const path of paths.toReversed()) await h.as(ada).post(`${path}/join`).expect(200)
    const spaces = await h.as(ada).get('/api/actors/me/spaces').expect(200)
    expect(spaces.map(pathOf)).toEqual(paths.toReversed())
    expect(spaces[0]).toEqual({
      space_id: expect.any(String),
      visibility: 'open',
      seen_event_id: null,
      unread_count: 0,
      title: null,
      description: '',
      status: 'active',
      links: [],
      owners: [ada.actor_id],
      started_at: MOMENT,
      ended_at: null,
      participant_count: 1,
      partners: [],
      preferences: { pinned: false, notices: 'mentions' },
      event_count: 0,
      last_event_at: null,
    })
  })

  it('filters by status', async () => {
    const ada = await h.registerHuman()
    const [active, paused, archived] = [await h.openSpace(ada), await h.openSpace(ada), await h.openSpace(ada)]
    for (const path of [active, paused, archived]) await h.as(ada).post(`${path}/join`).expect(200)
    await h.as(ada).patch(paused, { status: 'paused' }).expect(200)
    await h.as(ada).post(`${archived}/archive`).expect(200)

    for (const [status, path] of Object.entries({ active, paused, archived })) {
      const spaces = await h.as(ada).get(`/api/actors/me/spaces?status=${status}`).expect(200)
      expect(spaces.map(pathOf)).toEqual([path])
      expect(spaces[0].status).toBe(status)
    }
    await h
      .as(ada)
      .get('/api/actors/me/spaces?status=over')
      .expect(400, 'status: must be one of active, paused, archived')
  })

  const pathOf = ({ space_id }: { space_id: string }) => `/api/spaces/${space_id}`
})

describe('GET /api/actors/me/agents', () => {
  it('lists the agents that the caller sponsors, oldest first, without their keys', async () => {
    const [ada, grace] = [await h.registerHuman(), await h.registerHuman()]
    const agents = [await h.registerAgent(ada, 'Z'), await h.registerAgent(ada, 'A'), await h.registerAgent(ada, 'M')]
    await h.registerAgent(grace)
    const shown = agents.map(withoutKey)
    expect(await h.as(ada).get('/api/actors/me/agents').expect(200)).toEqual(shown)
  })
})

describe('PATCH /api/actors/{actor_id}', () => {
  it('changes only the given fields of a human, for itself', async () => {
    const registered = await h
      .post('/api/actors', { display_name: 'Ada', email: 'a@b.org', metadata: { a: 1 } })
      .expect(200)
    const { api_key } = registered
    const ada = withoutKey(registered)
    const path = `/api/actors/${ada.actor_id}`
    const renamed = { ...ada, display_name: 'Ada L' }
    expect(await h.as(api_key).patch(path, { display_name: ' Ada L ', email: 'x@y.org' }).expect(200)).toEqual(renamed)
    const changed = { ...renamed, metadata: { b: [2, null] } }
    expect(
      await h
        .as(api_key)
        .patch(path, { metadata: { b: [2, null] } })
        .expect(200),
    ).toEqual(changed)
    for (const nothing of [undefined, {}, { display_name: null }]) {
      expect(await h.as(api_key).patch(path, nothing).expect(200)).toEqual(changed)
    }
    expect(await h.as(api_key).get('/api/actors/me').expect(200)).toEqual({ ...changed, ...UNLIMITED })
  })

  it('clears the metadata with null', async () => {
    const sent = { display_name: 'Ada', email: 'a@b.org', metadata: { a: 1 } }
    const ada = await h.post('/api/actors', sent).expect(200)
    const cleared = await h.as(ada).patch(`/api/actors/${ada.actor_id}`, { metadata: null }).expect(200)
    expect(cleared.metadata).toBe(null)
    expect((await h.as(ada).get('/api/actors/me').expect(200)).metadata).toBe(null)
  })

  it('sets and clears the title and the time zone, which the card shows', async () => {
    const ada = await h.registerHuman('Ada')
    const path = `/api/actors/${ada.actor_id}`
    const profile = { title: 'Programs the engine', time_zone: 'Asia/Kolkata' }
    expect(await h.as(ada).get(path).expect(200)).toMatchObject({ title: null, time_zone: null })
    expect(await h.as(ada).patch(path, profile).expect(200)).toMatchObject({ ...profile, display_name: 'Ada' })
    const bob = await h.registerAgent(ada, 'Bob')
    expect(await h.as(bob).get(path).expect(200)).toMatchObject(profile)
    await h.as(bob).patch(path, { title: 'Mole' }).expect(403)
    await h.as(ada).patch(`/api/actors/${bob.actor_id}`, { title: 'Builds' }).expect(200)
    expect(await h.as(bob).get('/api/actors/me').expect(200)).toMatchObject({ title: 'Builds', time_zone: null })
    expect(await h.as(ada).patch(path, { title: null, time_zone: null }).expect(200)).toMatchObject({
      title: null,
      time_zone: null,
      picture: null,
    })
  })

  it.each([
    [{ title: 'Two\nlines' }, /^title: /],
    [{ title: '' }, /^title: /],
    [{ title: 'x'.repeat(101) }, /^title: /],
    [{ time_zone: 'Mars/Olympus' }, 'time_zone: must be a time zone, such as Europe/Berlin'],
  ])('rejects the profile %o', async (profile, detail) => {
    const ada = await h.registerHuman('Ada')
    await h.as(ada).patch(`/api/actors/${ada.actor_id}`, profile).expect(400, detail)
  })

  it('keeps keys of the metadata that are special in JavaScript', async () => {
    const ada = await h.registerHuman()
    const metadata = '{"__proto__":{"admin":true},"constructor":{"prototype":1},"toString":"x","a":{"__proto__":null}}'
    const path = `/api/actors/${ada.actor_id}`
    const { text } = await h.as(ada).patch(path, `{"metadata":${metadata}}`)
    expect(text).toContain(`"metadata":${metadata}`)
    expect((await h.as(ada).get('/api/actors/me')).text).toContain(`"metadata":${metadata}`)
    const born = `{"display_name":"Ada","email":"a@b.org","metadata":${metadata}}`
    expect((await h.post('/api/actors', born)).text).toContain(`"metadata":${metadata}`)
  })

  it('renames an agent for its sponsor, in its participations too', async () => {
    const ada = await h.registerHuman()
    const agent = await h.registerAgent(ada, 'Scout')
    const space = await h.openSpace(ada)
    await h.as(agent).post(`${space}/join`).expect(200)
    const changed = await h.as(ada).patch(`/api/actors/${agent.actor_id}`, { display_name: 'Ranger' }).expect(200)
    expect(changed).toMatchObject({ actor_id: agent.actor_id, display_name: 'Ranger', sponsor_id: ada.actor_id })
    const [participant] = await h.as(ada).get(`${space}/participants`).expect(200)
    expect(participant.name).toBe('Ranger')
  })

  it('returns 403 for an agent itself and other actors, 404 for an unknown actor', async () => {
    const [ada, grace] = [await h.registerHuman(), await h.registerHuman()]
    const [agent, other] = [
      await h.registerAgent(ada, 'Scout', EVERYTHING),
      await h.registerAgent(ada, 'Scout', EVERYTHING),
    ]
    const change = { display_name: 'Mallory' }
    await h.as(agent).patch(`/api/actors/${agent.actor_id}`, change).expect(403, NOT_YOURS)
    await h.as(other).patch(`/api/actors/${agent.actor_id}`, change).expect(403, NOT_YOURS)
    await h.as(agent).patch(`/api/actors/${ada.actor_id}`, change).expect(403, NOT_YOURS)
    await h.as(grace).patch(`/api/actors/${agent.actor_id}`, change).expect(403, NOT_YOURS)
    await h.as(grace).patch(`/api/actors/${ada.actor_id}`, change).expect(403, NOT_YOURS)
    await h.as(ada).patch(`/api/actors/${UNKNOWN_ACTOR}`, change).expect(404, 'Actor not found')
    expect((await h.as(agent).get('/api/actors/me').expect(200)).display_name).toBe('Scout')
    expect((await h.as(ada).get('/api/actors/me').expect(200)).display_name).toBe('Ada')
  })

  it.each([
    [{ display_name: '' }, 'display_name: must not be empty'],
    [{ display_name: 5 }, 'display_name: must be a string'],
    [{ metadata: 'x' }, 'metadata: must be a JSON object'],
    [{ metadata: [1] }, 'metadata: must be a JSON object'],
    [{ metadata: { a: 'x'.repeat(65_536) } }, 'metadata: must be at most 65536 bytes of JSON, not 65544'],
    [{ metadata: { a: '\0' } }, 'metadata: must not contain the NUL character'],
  ])('returns 400 for %j', async (body, detail) => {
    const ada = await h.registerHuman()
    await h.as(ada).patch(`/api/actors/${ada.actor_id}`, body).expect(400, detail)
  })
})

describe('DELETE /api/actors/{actor_id}', () => {
  it('deletes a human together with its agents', async () => {
    const [ada, grace] = [await h.registerHuman(), await h.registerHuman()]
    const agents = [await h.registerAgent(ada), await h.registerAgent(ada)]
    const spared = await h.registerAgent(grace)
    expect(await h.as(ada).delete(`/api/actors/${ada.actor_id}`).expect(200)).toEqual({ ok: true })
    for (const actor of [ada, ...agents]) {
      await h.as(actor).get('/api/actors/me').expect(401, 'Authentication required')
      await h.as(grace).patch(`/api/actors/${actor.actor_id}`, {}).expect(404, 'Actor not found')
      await h.as(grace).delete(`/api/actors/${actor.actor_id}`).expect(404, 'Actor not found')
    }
    for (const actor of [grace, spared]) await h.as(actor).get('/api/actors/me').expect(200)
  })

  it('deletes an agent for its sponsor', async () => {
    const ada = await h.registerHuman()
    const [agent, spared] = [await h.registerAgent(ada), await h.registerAgent(ada)]
    await h.as(ada).delete(`/api/actors/${agent.actor_id}`).expect(200)
    await h.as(agent).get('/api/actors/me').expect(401, 'Authentication required')
    const left = await h.as(ada).get('/api/actors/me/agents').expect(200)
    expect(left.map(({ actor_id }: { actor_id: string }) => actor_id)).toEqual([spared.actor_id])
    await h.as(ada).post(`/api/actors/${agent.actor_id}/rotate-key`).expect(404, 'Actor not found')
    await h.as(ada).post(`/api/actors/${agent.actor_id}/release`).expect(404, 'Actor not found')
    const connection = { installation_id: 'laptop' }
    await h.as(ada).post(`/api/actors/${agent.actor_id}/connect`, connection).expect(404, 'Actor not found')
  })

  it('ends participations, and keeps the history readable under the old names', async () => {
    const [ada, grace] = [await h.registerHuman('Ada'), await h.registerHuman('Grace')]
    const agent = await h.registerAgent(ada, 'Scout')
    const space = await h.openSpace(ada)
    for (const actor of [ada, agent, grace]) await h.as(actor).post(`${space}/join`).expect(200)
    await h.as(ada).post(`${space}/speech`, { text: 'Bye' }).expect(200)
    await h.as(agent).post(`${space}/response`, { text: 'Bye, too' }).expect(200)
    const before = await h.as(grace).get(`${space}/events`).expect(200)

    await h.as(ada).delete(`/api/actors/${ada.actor_id}`).expect(200)
    expect(await h.as(grace).get(`${space}/events`).expect(200)).toEqual(before)
    expect(before.map(({ speaker_name }: { speaker_name: string }) => speaker_name)).toEqual(['Ada', 'Scout'])
    const participants = await h.as(grace).get(`${space}/participants`).expect(200)
    expect(participants.map(({ name }: { name: string }) => name)).toEqual(['Grace'])
    expect((await h.as(grace).get(`${space}/status`).expect(200)).participants).toHaveLength(1)
  })

  it('erases the e-mail address and the metadata', async () => {
    const sent = { display_name: 'Ada', email: 'ada-to-forget@example.org', metadata: { phone: '555-to-forget' } }
    const ada = await h.post('/api/actors', sent).expect(200)
    await h.as(ada).delete(`/api/actors/${ada.actor_id}`).expect(200)
    const { rows } = await query(h.connection, 'SELECT a::text AS row FROM actors a WHERE actor_id = $1', [
      ada.actor_id,
    ])
    expect(rows[0].row).toContain('Ada')
    expect(rows[0].row).not.toContain('to-forget')
  })

  it('returns 403 for an agent itself and other actors, 404 for an unknown actor', async () => {
    const [ada, grace] = [await h.registerHuman(), await h.registerHuman()]
    const agent = await h.registerAgent(ada, 'Scout', EVERYTHING)
    await h.as(agent).delete(`/api/actors/${agent.actor_id}`).expect(403, NOT_YOURS)
    await h.as(agent).delete(`/api/actors/${ada.actor_id}`).expect(403, NOT_YOURS)
    await h.as(grace).delete(`/api/actors/${agent.actor_id}`).expect(403, NOT_YOURS)
    await h.as(grace).delete(`/api/actors/${ada.actor_id}`).expect(403, NOT_YOURS)
    await h.as(ada).delete(`/api/actors/${UNKNOWN_ACTOR}`).expect(404, 'Actor not found')
    for (const actor of [ada, agent]) await h.as(actor).get('/api/actors/me').expect(200)
  })
})

describe('POST /api/actors/{actor_id}/rotate-key', () => {
  it.each(['itself', 'its sponsor'])(
    'returns a new key of an agent to %s, and revokes the old one at once',
    async (who) => {
      const ada = await h.registerHuman()
      const { api_key: old, ...agent } = await h.registerAgent(ada)
      const by = h.as(who === 'itself' ? old : ada.api_key)
      const { api_key, ...shown } = await by.post(`/api/actors/${agent.actor_id}/rotate-key`).expect(200)
      expect(shown).toEqual(agent)
      expect(api_key).toMatch(/^svc_[0-9a-f]{64}$/)
      expect(api_key).not.toBe(old)
      await h.as(old).get('/api/actors/me').expect(401, 'Authentication required')
      expect(await h.as(api_key).get('/api/actors/me').expect(200)).toEqual(agent)
    },
  )

  it('returns a new key of a human', async () => {
    const ada = await h.registerHuman()
    const { api_key } = await h.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`).expect(200)
    await h.as(ada).get('/api/actors/me').expect(401)
    await h.as(api_key).get('/api/actors/me').expect(200)
  })

  it('returns 403 for other actors, 404 for an unknown actor', async () => {
    const [ada, grace] = [await h.registerHuman(), await h.registerHuman()]
    const [agent, other] = [await h.registerAgent(ada), await h.registerAgent(ada)]
    const path = `/api/actors/${agent.actor_id}/rotate-key`
    for (const actor of [grace, other]) {
      await h
        .as(actor)
        .post(path, {}, { headers: { 'x-force-rotate': 'true' } })
        .expect(403, NOT_YOURS_TO_OPERATE)
    }
    await h.as(agent).post(`/api/actors/${ada.actor_id}/rotate-key`).expect(403, NOT_YOURS_TO_OPERATE)
    await h.as(ada).post(`/api/actors/${UNKNOWN_ACTOR}/rotate-key`).expect(404, 'Actor not found')
    await h.as(agent).get('/api/actors/me').expect(200)
  })

  describe('of a connected agent', () => {
    async function connectedAgent() {
      const ada = await h.registerHuman()
      const agent = await h.registerAgent(ada, 'Scout')
      const path = `/api/actors/${agent.actor_id}`
      await h.as(agent).post(`${path}/connect`, { installation_id: 'laptop' }).expect(200)
      return { ada, agent, path }
    }

    it.each(['büro', 'Anna’s Mac', 'ci ', ' '])('refuses the installation %j, which no header carries', async (id) => {
      const { agent, path } = await connectedAgent()
      const refusal = 'installation_id: must be printable ASCII, without a blank at its start or end'
      await h.as(agent).post(`${path}/connect`, { installation_id: id }).expect(400, refusal)
      await h.post('/api/agent-codes/redeem', { code: 'x', installation_id: id }).expect(400, refusal)
    })

    it('returns 409 from another installation, naming the agent and the ways to proceed', async () => {
      const { ada, agent, path } = await connectedAgent()
      for (const headers of [{}, { 'x-installation-id': 'phone' }, { 'x-force-rotate': 'false' }]) {
        const body = await h.as(ada).post(`${path}/rotate-key`, undefined, { headers }).expect(409)
        expect(body).toEqual({
          detail: body.message,
          error: 'agent_connected',
          message: expect.stringMatching(/"Scout".*[Rr]elease.*X-Force-Rotate: true/),
          agent_id: agent.actor_id,
        })
      }
      await h.as(agent).get('/api/actors/me').expect(200)
    })

    it('is forced by the header only', async () => {
      const { ada, path } = await connectedAgent()
      const body = { force: true, installation_id: 'laptop', 'X-Force-Rotate': 'true' }
      await h.as(ada).post(`${path}/rotate-key?force=true&X-Force-Rotate=true`, body).expect(409)
    })

    it('rotates from the connected installation, and keeps the connection', async () => {
      const { agent, path } = await connectedAgent()
      const headers = { 'x-installation-id': 'laptop' }
      const { api_key } = await h.as(agent).post(`${path}/rotate-key`, undefined, { headers }).expect(200)
      await h.as(api_key).post(`${path}/connect`, { installation_id: 'phone' }).expect(409)
    })

    it.each(['true', 'TRUE', '1'])('rotates with X-Force-Rotate: %s, and keeps the connection', async (force) => {
      const { ada, agent, path } = await connectedAgent()
      const headers = { 'x-force-rotate': force }
      const { api_key } = await h.as(ada).post(`${path}/rotate-key`, undefined, { headers }).expect(200)
      await h.as(agent).get('/api/actors/me').expect(401, 'Authentication required')
      await h.as(api_key).post(`${path}/connect`, { installation_id: 'laptop' }).expect(200)
      await h.as(api_key).post(`${path}/connect`, { installation_id: 'phone' }).expect(409)
    })

    it('moves the agent to the named installation when forced', async () => {
      const { ada, path } = await connectedAgent()
      const headers = { 'x-force-rotate': 'true', 'x-installation-id': 'phone' }
      await h.as(ada).post(`${path}/rotate-key`, undefined, { headers }).expect(200)
      await h.as(ada).post(`${path}/connect`, { installation_id: 'phone' }).expect(200)
      await h.as(ada).post(`${path}/connect`, { installation_id: 'laptop' }).expect(409)
    })

    it('needs no force after the release', async () => {
      const { ada, path } = await connectedAgent()
      await h.as(ada).post(`${path}/release`).expect(200)
      await h.as(ada).post(`${path}/rotate-key`).expect(200)
    })

    it('returns 400 for an invalid X-Force-Rotate, and for an installation ID that is too long', async () => {
      const { ada, path } = await connectedAgent()
      const rotate = (headers: Record<string, string>) => h.as(ada).post(`${path}/rotate-key`, undefined, { headers })
      await rotate({ 'x-force-rotate': 'yes' }).expect(400, 'X-Force-Rotate: must be true or false')
      await rotate({ 'x-installation-id': 'x'.repeat(201) }).expect(400, /^X-Installation-Id: must be at most 200/)
    })
  })
})

describe('POST /api/actors/{actor_id}/connect', () => {
  it.each(['itself', 'its sponsor'])('connects an agent for %s', async (who) => {
    const ada = await h.registerHuman()
    const agent = await h.registerAgent(ada)
    const by = h.as(who === 'itself' ? agent : ada)
    const sent = { installation_id: 'laptop', agent_adapter: 'mcp' }
    expect(await by.post(`/api/actors/${agent.actor_id}/connect`, sent).expect(200)).toEqual({
      agent_id: agent.actor_id,
      status: 'connected',
      installation_id: 'laptop',
      connected_at: MOMENT,
    })
  })

  it('refreshes the same installation, and returns 409 for another one until the release', async () => {
    const ada = await h.registerHuman()
    const agent = await h.registerAgent(ada, 'Scout')
    const path = `/api/actors/${agent.actor_id}`
    const first = await h.as(agent).post(`${path}/connect`, { installation_id: 'laptop' }).expect(200)
    const again = await h.as(agent).post(`${path}/connect`, { installation_id: 'laptop' }).expect(200)
    expect(again.connected_at >= first.connected_at).toBe(true)

    const refused = await h.as(ada).post(`${path}/connect`, { installation_id: 'phone' }).expect(409)
    expect(refused).toEqual({
      detail: refused.message,
      error: 'agent_connected',
      message: expect.stringContaining('"Scout"'),
      agent_id: agent.actor_id,
    })
    await h.as(ada).post(`${path}/release`).expect(200)
    await h.as(ada).post(`${path}/connect`, { installation_id: 'phone' }).expect(200)
  })

  it('returns 400 for a human, and without an installation', async () => {
    const ada = await h.registerHuman()
    const agent = await h.registerAgent(ada)
    const installation = { installation_id: 'laptop' }
    await h.as(ada).post(`/api/actors/${ada.actor_id}/connect`, installation).expect(400, 'actor_id: must be an agent')
    const path = `/api/actors/${agent.actor_id}/connect`
    await h.as(ada).post(path).expect(400, 'installation_id: is required')
    await h.as(ada).post(path, { installation_id: '' }).expect(400, 'installation_id: must not be empty')
    await h
      .as(ada)
      .post(path, { installation_id: 'x'.repeat(201) })
      .expect(400, /^installation_id: must be at most 200/)
    await h
      .as(ada)
      .post(path, { ...installation, agent_adapter: 7 })
      .expect(400, 'agent_adapter: must be a string')
  })

  it('returns 403 for other actors, 404 for an unknown actor', async () => {
    const [ada, grace] = [await h.registerHuman(), await h.registerHuman()]
    const [agent, other] = [await h.registerAgent(ada), await h.registerAgent(ada)]
    const installation = { installation_id: 'laptop' }
    for (const actor of [grace, other]) {
      const path = `/api/actors/${agent.actor_id}/connect`
      await h.as(actor).post(path, installation).expect(403, NOT_YOURS_TO_OPERATE)
    }
    await h.as(grace).post(`/api/actors/${ada.actor_id}/connect`, installation).expect(403, NOT_YOURS_TO_OPERATE)
    await h.as(ada).post(`/api/actors/${UNKNOWN_ACTOR}/connect`, installation).expect(404, 'Actor not found')
  })
})

describe('POST /api/actors/{actor_id}/release', () => {
  it('releases a connected agent, repeatedly, and keeps its key valid', async () => {
    const ada = await h.registerHuman()
    const agent = await h.registerAgent(ada)
    const path = `/api/actors/${agent.actor_id}`
    await h.as(agent).post(`${path}/connect`, { installation_id: 'laptop' }).expect(200)
    const answers = [await h.as(ada).post(`${path}/release`), await h.as(ada).post(`${path}/release`)]
    expect(answers.map((answer) => answer.expect(200))).toEqual([
      { agent_id: agent.actor_id, status: 'released' },
      { agent_id: agent.actor_id, status: 'already_released' },
    ])
    await h.as(agent).get('/api/actors/me').expect(200)
  })

  it('returns already_released for an agent that was never connected', async () => {
    const ada = await h.registerHuman()
    const agent = await h.registerAgent(ada)
    expect((await h.as(ada).post(`/api/actors/${agent.actor_id}/release`).expect(200)).status).toBe('already_released')
  })

  it('returns 403 for all but the sponsor and for a human, 404 for an unknown actor', async () => {
    const [ada, grace] = [await h.registerHuman(), await h.registerHuman()]
    const [agent, other] = [await h.registerAgent(ada), await h.registerAgent(ada)]
    const path = `/api/actors/${agent.actor_id}`
    await h.as(agent).post(`${path}/connect`, { installation_id: 'laptop' }).expect(200)
    for (const actor of [agent, other, grace]) await h.as(actor).post(`${path}/release`).expect(403)
    await h.as(ada).post(`/api/actors/${ada.actor_id}/release`).expect(403)
    await h.as(ada).post(`/api/actors/${UNKNOWN_ACTOR}/release`).expect(404, 'Actor not found')
    expect((await h.as(ada).post(`${path}/release`).expect(200)).status).toBe('released')
  })
})

describe('REGISTRATION=closed', () => {
  // The same database, so that actors exist from before the registration was closed.
  const closed = useServer({ REGISTRATION: 'closed' }, h)

  it('rejects humans with 403, whatever key they send', async () => {
    const sent = { display_name: 'Mallory', email: 'mallory@example.org' }
    const ada = await h.registerHuman()
    for (const client of [closed, closed.as('nonsense'), closed.as(ada)]) {
      await client.post('/api/actors', sent).expect(403, 'Registration is closed on this server')
    }
    const { rows } = await query(h.connection, `SELECT FROM actors WHERE email = $1`, [sent.email])
    expect(rows).toEqual([])
  })

  it('still lets humans register agents', async () => {
    const ada = await h.registerHuman()
    const scout = { display_name: 'Scout', actor_type: 'agent' }
    await closed.post('/api/actors', scout).expect(401, 'Authentication required')
    expect((await closed.as(ada).post('/api/actors', scout).expect(200)).sponsor_id).toBe(ada.actor_id)
  })
})
