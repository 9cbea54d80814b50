import { type Actor, type Client, eventually, query } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { operations } from './support/document.js'
import { sendGarbage } from './support/garbage.js'
import { hold, waiting, waitingForRow } from './support/locks.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

// The default number of connections: some changes wait for locks here.
const h = useServer({ DATABASE_POOL: '20' })
const elsewhere = useServer({}, h)

const REASON = 'It repeats itself'

let ada: Actor
let scout: Actor
/** The path of a space that the agent has joined. */
let space: string

beforeEach(async () => {
  ada = await h.registerHuman()
  scout = await h.registerAgent(ada, 'Scout', EVERYTHING)
  space = await h.openSpace(ada)
  await h.as(scout).post(`${space}/join`).expect(200)
})

const pathOf = ({ actor_id }: Actor) => `/api/actors/${actor_id}`
const stop = (by: Actor, agent: Actor, body?: object) => h.as(by).post(`${pathOf(agent)}/stop`, body)
const start = (by: Actor, agent: Actor) => h.as(by).post(`${pathOf(agent)}/start`)

describe('a stopped agent', () => {
  it('is refused with the reason, the actor and the time of the stop', async () => {
    const before = Date.now()
    const { stopped } = await stop(ada, scout, { reason: REASON }).expect(200)
    expect(stopped).toEqual({ reason: REASON, stopped_by: ada.actor_id, stopped_at: expect.any(String) })
    expect(Date.parse(stopped.stopped_at)).toBeGreaterThanOrEqual(before)
    for (const server of [h, elsewhere]) {
      const refused = await server.as(scout).post(`${space}/response`, { text: 'again' })
      expect(refused.expect(403, `The agent is stopped: ${REASON}`)).toEqual({
        detail: `The agent is stopped: ${REASON}`,
        error: 'agent_stopped',
        ...stopped,
      })
      expect(await server.as(scout).get('/api/actors/me').expect(200)).toMatchObject({ stopped })
    }
    expect(await h.as(ada).get('/api/actors/me/agents').expect(200)).toMatchObject([{ stopped }])
  })

  const limitable = operations.filter(({ keyless }) => !keyless)
  it.each(limitable.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'may only read: %s',
    async (_title, operation) => {
      await stop(ada, scout).expect(200)
      const answer = await sendGarbage(h.as(scout), operation)
      if (answer.body.detail === 'Only a human actor may do this') return
      if (operation.scope === 'read') answer.expect(400)
      else expect(answer.expect(403, 'The agent is stopped').reason).toBe(null)
    },
  )

  it('continues to read the live stream', async () => {
    const reader = await StreamReader.open(h.as(scout), space)
    await stop(ada, scout).expect(200)
    await h.as(ada).post(`${space}/speech`, { text: 'You are stopped' }).expect(200)
    await reader.read(1)
    await reader.close()
  })

  it('stays stopped with a new key and in another tenant, until it is started', async () => {
    await stop(ada, scout).expect(200)
    await h
      .as(scout)
      .post(`${pathOf(scout)}/rotate-key`)
      .expect(403, 'The agent is stopped')
    const { api_key } = await h
      .as(ada)
      .post(`${pathOf(scout)}/rotate-key`)
      .expect(200)
    await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
    const there = await h.openSpace(ada)
    await h.as(api_key).post(`${there}/response`, { text: 'x' }).expect(403, 'The agent is stopped')
    expect(await start(ada, scout).expect(200)).toMatchObject({ stopped: null })
    await h.as(api_key).post(`${there}/response`, { text: 'x' }).expect(200)
    await h.as(api_key).post(`${there}/join`).expect(200)
  })
})

describe('stopping', () => {
  it("is allowed to the sponsor and to admins of the agent's tenant", async () => {
    const tenant = await foundTenant(h.connection)
    const [admin, member, foreign] = [await h.registerHuman(), await h.registerHuman(), await h.registerHuman()]
    await moveInto(h.connection, tenant, ada, scout, admin, member)
    await makeAdmin(h.connection, admin)
    await moveInto(h.connection, await foundTenant(h.connection), foreign)
    await makeAdmin(h.connection, foreign)
    await stop(member, scout).expect(403, /^Only the sponsor of the agent or an admin/)
    await start(member, scout).expect(403, /^Only the sponsor of the agent or an admin/)
    await stop(foreign, scout).expect(404, 'Actor not found')
    await start(foreign, scout).expect(404, 'Actor not found')
    await stop(scout, scout).expect(403, 'Only a human actor may do this')
    await stop(ada, member).expect(403, /^Only the sponsor of the agent/)
    await stop(admin, scout).expect(200)
    await start(ada, scout).expect(403, /^An admin of the tenant stopped this agent/)
    await start(admin, scout).expect(200)
    await stop(ada, scout).expect(200)
    await start(admin, scout).expect(200)
  })

  it('twice keeps the first reason, and starting twice changes nothing', async () => {
    const first = await stop(ada, scout, { reason: REASON }).expect(200)
    expect(await stop(ada, scout, { reason: 'Another' }).expect(200)).toEqual(first)
    const started = await start(ada, scout).expect(200)
    expect(await start(ada, scout).expect(200)).toEqual(started)
  })

  it('takes a reason of at most 500 characters', async () => {
    for (const reason of ['', 'x'.repeat(501), 7, {}]) await stop(ada, scout, { reason }).expect(400, /^reason: /)
    await stop(ada, scout, { reason: 'x'.repeat(500) }).expect(200)
  })

  it('all agents of a sponsor does not stop agents of another sponsor', async () => {
    const [other, running] = [await h.registerAgent(ada), await h.registerAgent(await h.registerHuman())]
    await stop(ada, scout).expect(200)
    const stopped = await h.as(ada).post('/api/actors/me/agents/stop', { reason: REASON }).expect(200)
    expect(stopped).toMatchObject([{ actor_id: other.actor_id, stopped: { reason: REASON } }])
    expect(await h.as(ada).post('/api/actors/me/agents/stop').expect(200)).toEqual([])
    for (const agent of [scout, other]) await h.as(agent).post(`${space}/response`, { text: 'x' }).expect(403)
    await h.as(running).post(`${space}/response`, { text: 'x' }).expect(200)
  })
})

const EVENT = { speaker_id: 'x', speaker_name: 'X', speaker_type: 'agent', text: 'late' }

/** The writes of an agent, with their requests. */
const WRITES: readonly (readonly [title: string, method: string, path: string, body: object])[] = [
  ['an answer', 'POST', '{space}/response', { text: 'late' }],
  ['a batch', 'POST', '{space}/events/batch', { events: [EVENT, EVENT] }],
  ['a thread', 'POST', '{space}/threads', { subject: 'late' }],
  ['a proposal', 'POST', '{space}/decisions', { proposed_by: 'Scout', text: 'late' }],
  [
    'a settlement',
    'PUT',
    '{space}/decisions/{decision_id}/resolve',
    { status: 'resolved', resolved_by: 'Scout', resolution: 'Yes' },
  ],
  ['a link', 'POST', '{space}/links', { target_uri: 'https://example.org' }],
  ['a space', 'POST', '/api/spaces', { space_id: 'late' }],
  ['a change', 'PATCH', '{space}', { description: 'late' }],
]

const events = async () => (await query(h.connection, 'SELECT count(*)::int AS count FROM events')).rows[0].count

describe('when a stop is answered', () => {
  it.each(WRITES)('%s that was accepted before it is either stored or refused', async (_title, method, path, body) => {
    const { event_id } = await h.as(scout).post(`${space}/response`, { text: 'x' }).expect(200)
    const { decision_id } = await h.as(ada).post(`${space}/decisions`, { proposed_by: 'Ada', text: 'Go' }).expect(200)
    const held = await hold(h.connection, 'LOCK TABLE decisions, events, links, spaces, threads IN SHARE MODE')
    const target = path.replace('{space}', space).replace('{decision_id}', decision_id)
    const writing = h
      .as(scout)
      .send(method, target, { ...body, ...(path.endsWith('/threads') && { parent_event_id: event_id }) })
    await waiting(h.connection, 1)
    const stopping = stop(ada, scout, { reason: REASON })
    const first = await Promise.race([
      stopping.then(() => 'stopped' as const),
      // A sweep of the server may wait for the tables, too; only the stop waits for the agent's row.
      waitingForRow(h.connection).then(() => 'waits' as const),
    ])
    await held.query('COMMIT')
    await stopping.expect(200)
    const answer = await writing
    if (first === 'waits') answer.expect(200)
    else expect(answer.expect(403, `The agent is stopped: ${REASON}`).stopped_by).toBe(ada.actor_id)
  })

  it('an event that waited for the row lock of its space is refused, although its statement had begun', async () => {
    const spaceId = space.split('/').at(-1) as string
    for (const path of ['response', 'events/batch']) {
      const held = await hold(h.connection, 'SELECT FROM spaces WHERE space_id = $1 FOR UPDATE', [spaceId])
      const writing = h.as(scout).post(`${space}/${path}`, path === 'response' ? { text: 'late' } : { events: [EVENT] })
      await waiting(h.connection, 1)
      await stop(ada, scout, { reason: REASON }).expect(200)
      await held.query('COMMIT')
      expect((await writing).expect(403, `The agent is stopped: ${REASON}`).stopped_by).toBe(ada.actor_id)
      await start(ada, scout).expect(200)
    }
    expect(await h.as(ada).get(`${space}/events`).expect(200)).toEqual([])
  })

  it('agents that write continuously through two servers add no more events', async () => {
    const spaces = [space, await h.openSpace(ada), await h.openSpace(ada)]
    let posts = 0
    const chatter = async (client: Client, path: string) => {
      for (;;) {
        const answer = await client.post(`${path}/response`, { text: 'and on' })
        if (answer.status !== 200) return answer.expect(403, 'The agent is stopped')
        posts++
      }
    }
    const chatting = spaces.flatMap((path) => [h, elsewhere].map((server) => chatter(server.as(scout), path)))
    await eventually(() => posts > 50)
    await stop(ada, scout).expect(200)
    const answered = await events()
    await Promise.all(chatting)
    expect(await events()).toBe(answered)
    expect(answered).toBeGreaterThanOrEqual(posts)
  })
})
