import { type Actor, type Client, eventually, spaceIdOf } from '@collab-spaces/testing'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const here = useServer()
const there = useServer({}, here)

interface Act {
  readonly position: number
  readonly kind: string
  readonly created_at: string
}

let ada: Actor
let api: Client
let space: string
let all: Act[]
beforeAll(async () => {
  ada = await here.registerHuman('Ada')
  api = here.as(ada)
  space = await here.openSpace(ada)
  for (let at = 1; at <= 45; at++) {
    if (at % 9 === 0) await api.put(`${space}/policy`, { settle: { approvals: at % 2 } }).expect(200)
    else await api.post(`${space}/decisions`, { proposed_by: 'Ada', text: `Number ${at}` }).expect(200)
  }
  all = await api.get(`${space}/acts`).expect(200)
})

const positions = (acts: readonly Act[]) => acts.map(({ position }) => position)
const read = async (query: Record<string, string>) =>
  positions(await api.get(`${space}/acts?${new URLSearchParams(query)}`).expect(200))
const span = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

describe('GET /api/spaces/{space_id}/acts', () => {
  it('returns all acts by default', () => {
    expect(positions(all)).toEqual(span(1, all.length))
    expect(all.length).toBeGreaterThan(40)
  })

  it('pages forward and backward, always in the order of the acts', async () => {
    expect(await read({ since: '3', limit: '2' })).toEqual([4, 5])
    expect(await read({ since: '3' })).toEqual(span(4, all.length))
    expect(await read({ before: '10', limit: '3' })).toEqual([7, 8, 9])
    expect(await read({ before: '3' })).toEqual([1, 2])
    expect(await read({ tail: 'true', limit: '30' })).toEqual(span(all.length - 29, all.length))
    expect(await read({ before: '1' })).toEqual([])
    expect(await read({ since: String(all.length) })).toEqual([])
  })

  it('starts at any moment, inclusive', async () => {
    for (const act of all) {
      expect(await read({ start: act.created_at, limit: '1' })).toEqual([act.position])
      const justAfter = new Date(Date.parse(act.created_at) + 1).toISOString()
      expect(await read({ start: justAfter, limit: '1' })).toEqual(positions(all.slice(act.position, act.position + 1)))
    }
    expect(await read({ start: '2000-01-01T00:00:00Z', limit: '1' })).toEqual([1])
  })

  it('filters by subject', async () => {
    const changes = positions(all.filter(({ kind }) => kind === 'policy_changed'))
    expect(changes.length).toBeGreaterThan(2)
    expect(await read({ about: 'space', tail: 'true', limit: '2' })).toEqual(changes.slice(-2))
    expect(await read({ about: 'space', since: String(changes[0]), limit: '1' })).toEqual(changes.slice(1, 2))
  })

  it('rejects two cursors at once, a limit above 200 and a negative position', async () => {
    await api.get(`${space}/acts?since=1&tail=true`).expect(400, /cannot be combined/)
    await api.get(`${space}/acts?limit=201`).expect(400, /limit/)
    await api.get(`${space}/acts?before=-1`).expect(400, /before/)
  })
})

describe('the stream of a space', () => {
  const leaving: AbortController[] = []
  afterEach(() => {
    for (const one of leaving.splice(0)) one.abort()
  })

  /** Listens to the stream of the space at any server. */
  async function listen(client: Client, wish: string) {
    const leave = new AbortController()
    leaving.push(leave)
    const response = await fetch(`${client.url}${space}/events/stream${wish}`, {
      headers: { Authorization: `Bearer ${client.key}` },
      signal: leave.signal,
    })
    const heard = { text: '' }
    const read = async () => {
      for await (const bytes of response.body ?? []) heard.text += new TextDecoder().decode(bytes)
    }
    read().catch(() => {})
    await eventually(async () => heard.text !== '')
    return heard
  }

  it('reports each act on every server to a stream opened with acts=true, and to no other', async () => {
    const streams = await Promise.all([here, there].map((server) => listen(server.as(ada), '?acts=true')))
    const other = await listen(there.as(ada), '')
    const { decision_id } = await api
      .post(`${space}/decisions`, { proposed_by: 'Ada', text: 'Of which one hears' })
      .expect(200)
    const message = `event: act\ndata: {"kind":"act","space_id":"${spaceIdOf(space)}","decision_id":"${decision_id}"}\n\n`
    await eventually(async () => streams.every(({ text }) => text.includes(message)))
    await api.post(`${space}/decisions/${decision_id}/reviews`, { verdict: 'approve' }).expect(200)
    await eventually(async () => streams.every(({ text }) => text.split(message).length === 3))
    await api.put(`${space}/policy`, { settle: { approvals: 3 } }).expect(200)
    await eventually(async () => streams.every(({ text }) => text.includes('"decision_id":null}')))
    await api.post(`${space}/speech`, { text: 'The last word' }).expect(200)
    await eventually(async () => other.text.includes('The last word'))
    expect(other.text).not.toContain('event: act')
  })

  it.each([
    ['an added owner', (bob: Actor) => api.post(`${space}/participants`, { actor_id: bob.actor_id, role: 'owner' })],
    ['a removed participant', (bob: Actor) => api.delete(`${space}/participants/${bob.actor_id}`)],
    ['an incoming webhook', () => api.post(`${space}/incoming-webhooks`, { name: 'CI', format: 'json' })],
    [
      'an agent code',
      async () => {
        const body = { display_name: 'Scout', space_ids: [spaceIdOf(space)] }
        const { code } = await api.post('/api/agent-codes', body).expect(200)
        return there.post('/api/agent-codes/redeem', { code, installation_id: 'laptop' })
      },
    ],
  ] as const)('reports the acts of %s', async (_what, act) => {
    const bob = await here.registerHuman('Bob')
    await here.as(bob).post(`${space}/join`).expect(200)
    const stream = await listen(there.as(ada), '?acts=true')
    await (await act(bob)).expect(200)
    await eventually(async () => stream.text.includes('"decision_id":null}'))
  })
})
