import { type Actor, type Answer, NOTHING } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { useServer } from './support/server.js'

/**
 * Concurrent requests share statements: lookups of keys, pages, writes. Each must get the same answer as a request that
 * is sent alone.
 */

const h = useServer()

interface Request {
  readonly as: Actor | string | undefined
  readonly method: 'GET' | 'POST' | 'HEAD'
  readonly path: string
  readonly body?: unknown
  readonly key?: string
}

const SPACE = 'together'
const EVENTS = `/api/spaces/${SPACE}/events`
const SPEECH = `/api/spaces/${SPACE}/speech`

let requests: readonly Request[]

beforeAll(async () => {
  // Two tenants with a space of the same ID, so that a mix-up of tenants shows.
  const [ada, ben, gone] = [await h.registerHuman('Ada'), await h.registerHuman('Ben'), await h.registerHuman('Gone')]
  await h.as(ben).post('/api/tenants', { name: 'Elsewhere' }).expect(200)
  const agent = await h.registerAgent(ada)
  const ids = new Map<Actor, string[]>()
  const decisions: string[] = []
  for (const actor of [ada, ben]) {
    await h.openSpace(actor, SPACE)
    await h.openSpace(actor, 'paused')
    ids.set(actor, [])
    for (let n = 1; n <= 12; n++) {
      const text = `${actor.display_name} ${n}`
      ids.get(actor)?.push((await h.as(actor).post(SPEECH, { text }).expect(200)).event_id)
    }
    const proposal = { proposed_by: actor.actor_id, text: `Proposed by ${actor.display_name}` }
    decisions.push((await h.as(actor).post(`/api/spaces/${SPACE}/decisions`, proposal).expect(200)).decision_id)
    await h.as(actor).patch('/api/spaces/paused', { status: 'paused' }).expect(200)
  }
  await h.as(gone).delete(`/api/actors/${gone.actor_id}`).expect(200)

  const fifth = (actor: Actor) => ids.get(actor)?.[4] as string
  const reads = [ada, ben, agent, gone, 'svc_nonsense', undefined].flatMap((as) =>
    [
      EVENTS,
      `${EVENTS}?limit=3`,
      `${EVENTS}?limit=200`,
      `${EVENTS}?tail=true&limit=2`,
      `${EVENTS}?since=${fifth(ada)}`,
      `${EVENTS}?since=${fifth(ben)}&limit=4`,
      `${EVENTS}?before=${fifth(ada)}&limit=2`,
      `${EVENTS}?since=${NOTHING}`,
      `${EVENTS}?since=x`,
      `${EVENTS}?limit=0`,
      `${EVENTS}?limit=2&limit=3`,
      `${EVENTS}?since=${fifth(ada)}&tail=true`,
      `${EVENTS}/${fifth(ada)}`,
      `${EVENTS}/${fifth(ben)}`,
      ...[...decisions, NOTHING, 'x'].map((id) => `/api/spaces/${SPACE}/decisions/${id}`),
      '/api/spaces/paused/events',
      '/api/spaces/nowhere/events',
      '/api/spaces/%E0%A4%A/events',
      `/api/spaces/${SPACE}/status`,
    ].map((path): Request => ({ as, method: 'GET', path })),
  )
  const writes = [ada, ben, agent, gone, undefined].flatMap((as): Request[] => [
    { as, method: 'POST', path: SPEECH, body: { text: 'Kept' }, key: 'one' },
    { as, method: 'POST', path: SPEECH, body: { text: 'Another' }, key: 'two' },
    { as, method: 'POST', path: SPEECH, body: { text: 'Not what was kept' }, key: 'one' },
    { as, method: 'POST', path: `/api/spaces/${SPACE}/response`, body: { text: 'Kept' }, key: 'three' },
    { as, method: 'POST', path: EVENTS, body: { text: 'x', speaker_id: 's', speaker_name: 'S' }, key: 'four' },
    { as, method: 'POST', path: SPEECH, body: { text: 'x', thread_id: NOTHING } },
    { as, method: 'POST', path: SPEECH, body: { text: '' } },
    { as, method: 'POST', path: SPEECH, body: '{"text":' },
    { as, method: 'POST', path: SPEECH, body: { text: 'x' }, key: 'é' },
    { as, method: 'POST', path: '/api/spaces/paused/speech', body: { text: 'x' } },
    { as, method: 'POST', path: '/api/spaces/nowhere/speech', body: { text: 'x' } },
  ])
  requests = [...writes, ...reads, { as: ada, method: 'HEAD', path: EVENTS }]
})

const send = ({ as, method, path, body, key }: Request): Promise<Answer> =>
  h.as(as).send(method, path, body, key === undefined ? {} : { headers: { 'idempotency-key': key } })

/** Returns an answer without the headers that differ each time. */
function seen({ status, headers, text }: Answer) {
  const rest = Object.fromEntries(headers)
  const { 'x-request-id': _id, date: _date, ...kept } = rest
  return { status, headers: kept, text }
}

const named = ({ as, method, path, body, key }: Request) =>
  `${typeof as === 'object' ? as.display_name : as} ${method} ${path} ${JSON.stringify(body)} ${key}`

it('concurrent callers get the same bytes as each would get alone', async () => {
  // The first round writes, so that all later ones are retries.
  for (const request of requests) await send(request)
  const alone = new Map<string, unknown>()
  for (const request of requests) alone.set(named(request), seen(await send(request)))
  expect(new Set([...alone.values()].map((answer) => (answer as { status: number }).status))).toEqual(
    new Set([200, 400, 401, 404, 409]),
  )
  for (const crowd of [requests, requests.toReversed(), requests.concat(requests)]) {
    const answers = await Promise.all(
      crowd.map(async (request) => [named(request), seen(await send(request))] as const),
    )
    for (const [name, answer] of answers) expect([name, answer]).toEqual([name, alone.get(name)])
  }
})
