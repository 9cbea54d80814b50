import { type Actor, type Answer, type Client, storedEvents } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const here = useServer()
const there = useServer({}, here)

let ada: Actor
let bob: Actor
let scouts: Actor[]

beforeAll(async () => {
  ;[ada, bob] = [await here.registerHuman('Ada'), await here.registerHuman('Bob')]
  scouts = await Promise.all(['Scout', 'Rover', 'Aide'].map((name) => here.registerAgent(ada, name)))
})

const agent = (n: number) => here.as(scouts[n] as Actor)

async function guarded(loop_guard: object): Promise<string> {
  const space = await here.openSpace(ada)
  await here.as(ada).put(`${space}/policy`, { loop_guard }).expect(200)
  return space
}

const post = (client: Client, space: string, text = 'x', extras = {}) =>
  client.post(`${space}/response`, { text }, extras)

const OWN = (limit: number) => `Loop guard: ${limit} events by this agent since a human last spoke`
const ALL = (limit: number) => `Loop guard: ${limit} events by agents since a human last spoke`

/** Returns how many posts were accepted, and checks that the guard refused the rest. */
function written(answers: readonly Answer[]): number {
  const refused = answers.filter(({ status }) => status !== 200)
  for (const answer of refused) expect(answer.expect(409).error).toBe('loop_guard')
  return answers.length - refused.length
}

const countOf = async (space: string) => (await storedEvents(here.connection, space)).length

describe('a loop guard', () => {
  it('refuses the posts of an agent beyond its limit until a human posts', async () => {
    const space = await guarded({ total: 10, per_agent: 3 })
    for (let n = 0; n < 3; n++) await post(agent(0), space).expect(200)
    expect(await post(agent(0), space).expect(409)).toEqual({
      detail: OWN(3),
      error: 'loop_guard',
      scope: 'agent',
      limit: 3,
    })
    await post(agent(1), space).expect(200)
    await here.as(bob).post(`${space}/speech`, { text: 'Go on' }).expect(200)
    for (let n = 0; n < 3; n++) await post(agent(0), space).expect(200)
    await post(agent(0), space).expect(409, OWN(3))
    expect(await countOf(space)).toBe(8)
  })

  it('limits the posts of two or three agents in total', async () => {
    for (const agents of [2, 3]) {
      const space = await guarded({ total: 7 })
      for (let n = 0; n < 7; n++) await post(agent(n % agents), space).expect(200)
      for (let n = 0; n < agents; n++) {
        const refusal = await post(agent(n), space).expect(409, ALL(7))
        expect(refusal).toMatchObject({ error: 'loop_guard', scope: 'space', limit: 7 })
      }
      await here.as(ada).post(`${space}/speech`, { text: 'Go on' }).expect(200)
      await post(agent(0), space).expect(200)
    }
  })

  it('lets a quiet agent speak beside a noisy one', async () => {
    const space = await guarded({ total: 100, per_agent: 5 })
    written(await Promise.all(Array.from({ length: 20 }, () => post(agent(0), space))))
    await post(agent(1), space).expect(200)
  })

  it('counts by poster, not by speaker', async () => {
    const space = await guarded({ per_agent: 1 })
    const asHuman = { text: 'x', speaker_id: ada.actor_id, speaker_name: 'Ada' }
    await agent(0).post(`${space}/speech`, asHuman).expect(200)
    await agent(0)
      .post(`${space}/events`, { ...asHuman, speaker_type: 'human' })
      .expect(409, OWN(1).replace('events', 'event'))
    for (let n = 0; n < 3; n++) await here.as(ada).post(`${space}/response`, { text: 'x' }).expect(200)
    await agent(0).post(`${space}/speech`, asHuman).expect(200)
  })

  it('is reset by a human who settles or changes the policy, not by an agent that settles', async () => {
    const space = await guarded({ total: 1 })
    await post(agent(0), space).expect(200)
    const propose = () => agent(0).post(`${space}/decisions`, { proposed_by: 'x', text: 'Ask' }).expect(200)
    const settle = (client: Client, decision_id: string) =>
      client
        .put(`${space}/decisions/${decision_id}/resolve`, { resolved_by: 'x', resolution: 'x', status: 'resolved' })
        .expect(200)
    await settle(agent(1), (await propose()).decision_id)
    await post(agent(0), space).expect(409)
    await settle(here.as(ada), (await propose()).decision_id)
    await post(agent(0), space).expect(200)
    await post(agent(0), space).expect(409)
    await here
      .as(ada)
      .put(`${space}/policy`, { settle: { approvals: 0 } })
      .expect(200)
    await post(agent(0), space).expect(200)
    await post(agent(0), space).expect(409)
    await here
      .as(ada)
      .put(`${space}/policy`, { loop_guard: { total: 0 } })
      .expect(200)
    for (let n = 0; n < 3; n++) await post(agent(0), space).expect(200)
  })

  it('notifies the sponsor of the agent once', async () => {
    const eve = await here.registerHuman('Eve')
    const talker = await here.registerAgent(eve)
    const space = await guarded({ per_agent: 1 })
    const inbox = there.as(eve).get('/api/actors/me/inbox?wait=20')
    for (let n = 0; n < 4; n++) await post(here.as(talker), space)
    const { notices, done } = await inbox.expect(200)
    expect(notices).toMatchObject([
      {
        kind: 'loop_guard',
        space_id: space.split('/').at(-1),
        details: { agent_id: talker.actor_id, agent_name: talker.display_name, scope: 'agent', limit: 1 },
      },
    ])
    await here.as(eve).post('/api/actors/me/inbox/done', { notices: done.notices }).expect(200)
    await post(here.as(talker), space).expect(409)
    expect((await here.as(eve).get('/api/actors/me/inbox').expect(200)).notices).toEqual([])
  })

  it('counts no events from before it is set', async () => {
    const space = await here.openSpace(ada)
    for (let n = 0; n < 3; n++) await post(agent(0), space).expect(200)
    await here
      .as(ada)
      .put(`${space}/policy`, { loop_guard: { per_agent: 2 } })
      .expect(200)
    for (let n = 0; n < 2; n++) await post(agent(0), space).expect(200)
    await post(agent(0), space).expect(409)
  })

  it('neither refuses nor counts a retry with the same idempotency key', async () => {
    const space = await guarded({ per_agent: 2 })
    const keyed = { headers: { 'Idempotency-Key': 'k' } }
    const first = await post(agent(0), space, 'Once', keyed).expect(200)
    for (let n = 0; n < 3; n++) expect(await post(agent(0), space, 'Once', keyed).expect(200)).toEqual(first)
    await post(agent(0), space).expect(200)
    await post(agent(0), space).expect(409)
    expect(await post(agent(0), space, 'Once', keyed).expect(200)).toEqual(first)
    await agent(0).post(`${space}/response`, { text: 'x', thread_id: 'nothing' }).expect(404, 'Thread not found')
  })

  it('is off in a new space', async () => {
    const space = await here.openSpace(ada)
    expect(written(await Promise.all(Array.from({ length: 250 }, () => post(agent(0), space))))).toBe(250)
  })
})

describe('a batch', () => {
  const batch = (client: Client, space: string, count: number) =>
    client.post(`${space}/events/batch`, {
      events: Array.from({ length: count }, (_, n) => ({
        speaker_id: 'x',
        speaker_name: 'x',
        text: `${n}`,
        idempotency_key: `k${n}`,
      })),
    })

  it('is written as a whole or not at all', async () => {
    const space = await guarded({ per_agent: 5 })
    await batch(agent(0), space, 6).expect(409, OWN(5))
    expect(await countOf(space)).toBe(0)
    await batch(agent(0), space, 4).expect(200)
    await batch(agent(0), space, 6).expect(409, OWN(5))
    // Four of these exist already.
    await batch(agent(0), space, 5).expect(200)
    expect(await countOf(space)).toBe(5)
    await batch(agent(1), space, 5).expect(200)
    await batch(here.as(ada), space, 20).expect(200)
    await post(agent(0), space).expect(200)
  })

  it('of several agents at once is accepted exactly up to the limit', async () => {
    const space = await guarded({ total: 50 })
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        [here, there][n % 2]?.as(scouts[n % 3] as Actor).post(`${space}/events/batch`, {
          events: Array.from({ length: 5 }, () => ({ speaker_id: 'x', speaker_name: 'x', text: 'x' })),
        }),
      ),
    )
    expect(written(answers as Answer[])).toBe(10)
    expect(await countOf(space)).toBe(50)
  })
})

describe('64 concurrent posts through two instances', () => {
  it.each([
    ['of one agent', { per_agent: 15 }, 1, 15],
    ['of three, with a limit per agent', { per_agent: 7 }, 3, 21],
    ['of three, with a limit in total', { total: 40 }, 3, 40],
    ['of three, with both limits', { total: 20, per_agent: 9 }, 3, 20],
  ])('%s: exactly as many are accepted as the guard allows', async (_whose, loop_guard, agents, expected) => {
    for (let round = 0; round < 3; round++) {
      const space = await guarded(loop_guard)
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, n) =>
          post([here, there][n % 2]?.as(scouts[n % agents] as Actor) as Client, space),
        ),
      )
      expect(written(answers)).toBe(expected)
      expect(await countOf(space)).toBe(expected)
      written(await Promise.all(scouts.slice(0, agents).map((_, n) => post(agent(n), space))))
      expect(await countOf(space)).toBe(expected)
    }
  })

  it('with humans among the posters: no run of agents exceeds the limits', async () => {
    const space = await guarded({ total: 6, per_agent: 4 })
    await Promise.all(
      Array.from({ length: 64 }, (_, n) => {
        const server = [here, there][n % 2] as Client
        return n % 16 === 15
          ? server.as(bob).post(`${space}/speech`, { text: 'x' }).expect(200)
          : post(server.as(scouts[n % 3] as Actor), space)
      }),
    )
    let run: string[] = []
    for (const { posted_by } of await here.as(ada).get(`${space}/events?limit=200`).expect(200)) {
      run = posted_by === bob.actor_id ? [] : [...run, posted_by]
      expect(run.length).toBeLessThanOrEqual(6)
      for (const { actor_id } of scouts) expect(run.filter((by) => by === actor_id).length).toBeLessThanOrEqual(4)
    }
  })
})
