import { type Actor, UNKNOWN_ACTOR } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { TIMESTAMP } from './support/form.js'
import { useServer } from './support/server.js'

const h = useServer()

interface NamedParticipant {
  readonly name: string
}

describe('POST /api/spaces/{space_id}/join', () => {
  it('returns the participant, for a human and for an agent', async () => {
    const ada = await h.registerHuman('Ada')
    const scout = await h.registerAgent(ada, 'Scout')
    const path = await h.openSpace(ada)
    expect(await h.as(ada).post(`${path}/join`).expect(200)).toEqual({
      participant_id: ada.actor_id,
      name: 'Ada',
      participant_type: 'human',
      joined_at: expect.stringMatching(TIMESTAMP),
      agent_adapter: null,
      actor_id: ada.actor_id,
      role: 'owner',
      is_stopped: false,
      is_present: false,
    })
    expect(await h.as(scout).post(`${path}/join`, { agent_adapter: 'mcp' }).expect(200)).toEqual({
      participant_id: scout.actor_id,
      name: 'Scout',
      participant_type: 'agent',
      joined_at: expect.stringMatching(TIMESTAMP),
      agent_adapter: 'mcp',
      actor_id: scout.actor_id,
      role: 'member',
      is_stopped: false,
      is_present: false,
    })
  })

  it('keeps the time of the first join when repeated, and stores the new adapter', async () => {
    const ada = await h.registerHuman()
    const scout = await h.registerAgent(ada)
    const path = await h.openSpace(ada)
    const first = await h.as(scout).post(`${path}/join`, { agent_adapter: 'mcp' }).expect(200)
    for (const [body, agent_adapter] of [
      [{ agent_adapter: 'a2a' }, 'a2a'],
      [{}, null],
      [{ agent_adapter: 'anything at all' }, 'anything at all'],
      [{ agent_adapter: null }, null],
      [undefined, null],
    ] as const) {
      expect(await h.as(scout).post(`${path}/join`, body).expect(200)).toEqual({ ...first, agent_adapter })
      expect(await h.as(ada).get(`${path}/participants`).expect(200)).toEqual([{ ...first, agent_adapter }])
    }
  })

  it('joins once for concurrent requests', async () => {
    const { ada, path } = await h.adasSpace()
    const answers = await Promise.all(Array.from({ length: 6 }, () => h.as(ada).post(`${path}/join`)))
    const joined = answers.map((answer) => answer.expect(200).joined_at)
    expect(new Set(joined).size).toBe(1)
    expect(await h.as(ada).get(`${path}/participants`).expect(200)).toHaveLength(1)
  })

  it('takes the identity from the credential, not from the body', async () => {
    const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
    const path = await h.openSpace(ada)
    for (const claimed of [
      { participant_id: bob.actor_id, actor_id: bob.actor_id, name: 'Bob', participant_type: 'agent' },
      { participant_id: UNKNOWN_ACTOR, name: '', participant_type: 'system', joined_at: '1999-01-01' },
      { participant_id: 7, name: ['x'], participant_type: null },
    ]) {
      expect(await h.as(ada).post(`${path}/join`, claimed).expect(200)).toMatchObject({
        participant_id: ada.actor_id,
        actor_id: ada.actor_id,
        name: 'Ada',
        participant_type: 'human',
        joined_at: expect.not.stringContaining('1999'),
      })
    }
    expect(await h.as(ada).get(`${path}/participants`).expect(200)).toHaveLength(1)
  })

  it('succeeds in a paused space, and returns 409 in an archived one', async () => {
    const [ada, bob, eve] = [await h.registerHuman('Ada'), await h.registerHuman('Bob'), await h.registerHuman('Eve')]
    const path = await h.openSpace(ada)
    await h.as(ada).post(`${path}/join`).expect(200)
    await h.as(ada).patch(path, { status: 'paused' }).expect(200)
    await h.as(bob).post(`${path}/join`).expect(200)
    await h.as(ada).post(`${path}/archive`).expect(200)
    await h.as(eve).post(`${path}/join`).expect(409, 'Space is archived')
    await h.as(ada).post(`${path}/join`, { agent_adapter: 'mcp' }).expect(409, 'Space is archived')
    const participants = await h.as(eve).get(`${path}/participants`).expect(200)
    expect(participants).toMatchObject([
      { name: 'Ada', agent_adapter: null },
      { name: 'Bob', agent_adapter: null },
    ])
  })

  it.each([7, true, ['mcp'], { name: 'mcp' }, '', 'x'.repeat(201)])('refuses the adapter %j', async (agent_adapter) => {
    const { ada, path } = await h.adasSpace()
    await h
      .as(ada)
      .post(`${path}/join`, { agent_adapter })
      .expect(400, /^agent_adapter: /)
    expect(await h.as(ada).get(`${path}/participants`).expect(200)).toEqual([])
  })

  it('succeeds in several spaces', async () => {
    const ada = await h.registerHuman()
    const paths = [await h.openSpace(ada), await h.openSpace(ada)]
    for (const path of paths) await h.as(ada).post(`${path}/join`).expect(200)
    for (const path of paths) {
      expect(await h.as(ada).get(`${path}/participants`).expect(200)).toMatchObject([{ actor_id: ada.actor_id }])
    }
  })
})

describe('GET /api/spaces/{space_id}/participants', () => {
  it('lists participants in the order of their first join', async () => {
    const { ada, path } = await h.adasSpace()
    const joined: string[] = []
    for (const name of ['Zoe', 'Bob', 'Mia']) {
      const actor = await h.registerHuman(name)
      await h.as(actor).post(`${path}/join`).expect(200)
      joined.push(name)
      if (name === 'Mia') continue
      await h.as(actor).post(`${path}/join`, { agent_adapter: 'again' }).expect(200)
    }
    const participants = await h.as(ada).get(`${path}/participants`).expect(200)
    expect(participants.map(({ name }: { name: string }) => name)).toEqual(joined)
    const moments = participants.map(({ joined_at }: { joined_at: string }) => joined_at)
    expect(moments).toEqual([...moments].sort())
  })

  it('shows the current display name', async () => {
    const { ada, path } = await h.adasSpace()
    await h.as(ada).post(`${path}/join`).expect(200)
    await h.as(ada).patch(`/api/actors/${ada.actor_id}`, { display_name: 'Ada Lovelace' }).expect(200)
    expect(await h.as(ada).get(`${path}/participants`).expect(200)).toMatchObject([{ name: 'Ada Lovelace' }])
    expect((await h.as(ada).get(`${path}/status`).expect(200)).participants).toMatchObject([{ name: 'Ada Lovelace' }])
    expect((await h.as(ada).post(`${path}/join`).expect(200)).name).toBe('Ada Lovelace')
  })

  it('shows actors that left the tenant by their names of that time', async () => {
    const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
    const scout = await h.registerAgent(ada, 'Scout')
    const path = await h.openSpace(bob)
    for (const actor of [ada, scout, bob]) await h.as(actor).post(`${path}/join`).expect(200)
    const rename = (actor: Actor, display_name: string) =>
      h.as(ada).patch(`/api/actors/${actor.actor_id}`, { display_name }).expect(200)
    const shown = async () => [
      (await h.as(bob).get(`${path}/participants`).expect(200)).map(({ name }: NamedParticipant) => name),
      (await h.as(bob).get(`${path}/status`).expect(200)).participants.map(({ name }: NamedParticipant) => name),
      (await h.as(bob).get(`${path}/activity`).expect(200)).participants.map(({ name }: NamedParticipant) => name),
    ]

    await rename(ada, 'Ada L.')
    await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
    await rename(ada, 'A. of Acme')
    await rename(scout, 'Scout of Acme')
    const then = ['Ada L.', 'Scout', 'Bob']
    expect(await shown()).toEqual([then, then, then])

    const there = await h.openSpace(ada)
    await h.as(ada).post(`${there}/join`).expect(200)
    expect(await h.as(ada).get(`${there}/participants`).expect(200)).toMatchObject([{ name: 'A. of Acme' }])
  })

  it('shows actors that returned to the tenant by their current names', async () => {
    const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
    await h.as(bob).post('/api/tenants', { name: 'Home' }).expect(200)
    const path = await h.openSpace(bob)
    const comeHome = async () => {
      const { code } = await h.as(bob).post('/api/invites', {}).expect(200)
      await h.as(ada).post('/api/invites/redeem', { code }).expect(200)
    }
    const leave = (display_name: string) =>
      h
        .as(ada)
        .post('/api/tenants', { name: 'Elsewhere' })
        .expect(200)
        .then(() => h.as(ada).patch(`/api/actors/${ada.actor_id}`, { display_name }).expect(200))
    const shown = async () => (await h.as(bob).get(`${path}/participants`).expect(200))[0].name

    await comeHome()
    await h.as(ada).post(`${path}/join`).expect(200)
    await leave('Ada II')
    expect(await shown()).toBe('Ada')
    await comeHome()
    expect(await shown()).toBe('Ada II')
    await leave('Ada III')
    expect(await shown()).toBe('Ada II')
  })

  it('is empty for a space that no actor joined, and 404 for one that does not exist', async () => {
    const { ada, path } = await h.adasSpace()
    expect(await h.as(ada).get(`${path}/participants`).expect(200)).toEqual([])
    await h.as(ada).get('/api/spaces/never-opened/participants').expect(404, 'Space not found')
  })
})
