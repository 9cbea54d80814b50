import { randomUUID } from 'node:crypto'
import { type Actor, type Answer, type Client, eventually, query } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { later, setTime } from './support/clock.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'
import { plainClient } from './support/trpc.js'

const MINUTE_MS = 60_000

/** The servers run in this process, so that a test sets the time of their windows. */
beforeEach(() => setTime('2026-03-01T09:30:20Z'))

const aMinuteLater = () => later(MINUTE_MS)

/** Sends a request this many times in sequence, and returns the statuses. */
async function statusesOf(times: number, ask: () => PromiseLike<Answer>): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < times; n++) statuses.push((await ask()).status)
  return statuses
}

function expectRetryAfter({ headers }: Answer, seconds: number): void {
  expect(headers.get('retry-after')).toBe(String(seconds))
}

describe('failed credentials', () => {
  const settings = { FAILED_CREDENTIAL_LIMIT: '3', TRUST_PROXY: '1' }
  const h = useServer(settings)
  const detail = 'Too many failed credentials from this address; try again later, or with a valid one'
  const unknownKey = `svc_${'0'.repeat(64)}`
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
  const failFrom = (address: string, key = unknownKey) => h.as(key).get('/api/spaces', from(address))

  it('return 429 beyond the limit of their address, and 401 from another address', async () => {
    expect(await statusesOf(3, () => failFrom('203.0.113.7'))).toEqual([401, 401, 401])
    const refused = await failFrom('203.0.113.7')
    refused.expect(429, detail)
    expectRetryAfter(refused, 29 * 60 + 40)
    await failFrom('203.0.113.7', 'nonsense').expect(429, detail)
    await failFrom('203.0.113.8').expect(401, 'Authentication required')
  })

  it('limit neither valid credentials nor requests without a credential', async () => {
    const ada = await h.registerHuman()
    expect(await statusesOf(4, () => failFrom('203.0.113.9'))).toEqual([401, 401, 401, 429])
    await h.as(ada).get('/api/spaces', from('203.0.113.9')).expect(200)
    await h.get('/api/spaces', from('203.0.113.9')).expect(401)
    await h.get('/health', from('203.0.113.9')).expect(200)
  })

  it('do not include requests with a valid credential or without one', async () => {
    const ada = await h.registerHuman()
    for (let n = 0; n < 5; n++) {
      await h.as(ada).get('/api/spaces', from('203.0.113.10')).expect(200)
      await h.get('/api/spaces', from('203.0.113.10')).expect(401)
      await h.as(ada).get('/api/spaces/nowhere/status', from('203.0.113.10')).expect(404)
    }
    await failFrom('203.0.113.10').expect(401)
  })

  it('are counted for typed calls, too', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.11', Authorization: `Bearer ${unknownKey}` }
    const call = (path = 'space.list') => fetch(`${h.url}/trpc/${path}`, { headers })
    for (let n = 0; n < 3; n++) expect(await call()).toMatchObject({ status: 401 })
    const refused = [await call(), await call('space.list,actor.me?batch=1')]
    for (const { status, headers } of refused) {
      expect([status, headers.get('retry-after')]).toEqual([429, String(29 * 60 + 40)])
    }
  })

  it('are counted from zero in the next hour', async () => {
    expect((await statusesOf(4, () => failFrom('203.0.113.12'))).at(-1)).toBe(429)
    setTime('2026-03-01T10:00:00Z')
    await failFrom('203.0.113.12').expect(401)
  })

  it('are unlimited from the loopback address', async () => {
    expect(await statusesOf(5, () => h.as(unknownKey).get('/api/spaces'))).toEqual([401, 401, 401, 401, 401])
  })
})

describe('limits of a human', () => {
  const here = useServer({ WRITE_LIMIT: '6', HEAVY_READ_LIMIT: '2', STREAM_LIMIT: '2' })

  /** Returns a human with a space, at the start of a new minute. */
  async function begin(): Promise<{ ada: Actor; as: Client; space: string }> {
    const ada = await here.registerHuman()
    const space = await here.openSpace(ada)
    aMinuteLater()
    return { ada, as: here.as(ada), space }
  }

  it('count writes with all credentials and agents of one human, and no reads', async () => {
    const { ada, as, space } = await begin()
    const speak = (client = as) => client.post(`${space}/speech`, { text: 'Hello' })
    expect(await statusesOf(6, () => speak())).toEqual([200, 200, 200, 200, 200, 200])
    const refused = await speak()
    refused.expect(429, 'Too many writes of one human and its agents; try again shortly')
    expectRetryAfter(refused, 40)
    await as.get(`${space}/events`).expect(200)
    await speak(here.as(await here.registerHuman())).expect(200)
    aMinuteLater()
    const { token } = await as.post('/api/personal-access-tokens', { name: 'CI' }).expect(200)
    const scout = here.as(await here.registerAgent(ada))
    const senders = [as, here.as(token), scout, as]
    expect(await statusesOf(4, () => speak(senders.pop()))).toEqual([200, 200, 200, 200])
    for (const client of [as, here.as(token), scout]) await speak(client).expect(429)
    // A new key does not reset the count, and rotation is not limited.
    const { api_key } = await as.post(`/api/actors/${ada.actor_id}/rotate-key`).expect(200)
    await speak(here.as(api_key)).expect(429)
    await here.as(api_key).post(`${space}/archive`).expect(200)
  })

  it('count each event of a batch and each call of a typed batch', async () => {
    const { ada, as, space } = await begin()
    const event = { speaker_id: 'meet', speaker_name: 'Meet', text: 'Hello' }
    await as.post(`${space}/events/batch`, { events: Array(5).fill(event) }).expect(200)
    await as.post(`${space}/speech`, { text: 'Hello' }).expect(200)
    await as.post(`${space}/speech`, { text: 'Hello' }).expect(429)

    aMinuteLater()
    const { speech } = plainClient(here.url, ada.api_key).event
    const space_id = space.split('/').at(-1) as string
    const calls = Array.from({ length: 8 }, () => speech.mutate({ space_id, text: 'Hello' }))
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2)
  })

  it('count searches, digests, summaries and transcripts together', async () => {
    const { as, space } = await begin()
    const detail =
      'Too many heavy reads, such as searches and summaries, of one human and its agents; try again shortly'
    await as.get('/api/search?q=hello').expect(200)
    await as.get(`${space}/activity`).expect(200)
    for (const path of [`${space}/summary`, `${space}/transcript`, '/api/search?q=hello', `${space}/activity`]) {
      await as.get(path).expect(429, detail)
    }
    await as.get(`${space}/events`).expect(200)
  })

  it('count open streams until they end', async () => {
    const { as, space } = await begin()
    const streams = [await StreamReader.open(as, space), await StreamReader.open(as, space)]
    const third = await as.get(`${space}/events/stream`)
    third.expect(429, 'Too many streams of one human and its agents are open; close one, or try again later')
    expectRetryAfter(third, 15)
    await streams[0]?.close()
    aMinuteLater()
    const again = await eventually(async () => {
      aMinuteLater()
      return StreamReader.open(as, space)
    })
    await Promise.all([again, streams[1]].map((stream) => stream?.close()))
    for (let n = 0; n < 4; n++) await as.get('/api/spaces/nowhere/events/stream').expect(404)
  })

  it('do not count a HEAD request as an open stream', async () => {
    const { as, space } = await begin()
    for (let n = 0; n < 4; n++) expect((await as.send('HEAD', `${space}/events/stream`)).status).toBe(200)
    aMinuteLater()
    const streams = [await StreamReader.open(as, space), await StreamReader.open(as, space)]
    await Promise.all(streams.map((stream) => stream.close()))
  })
})

describe('servers of one database', () => {
  const settings = { WRITE_LIMIT: '40', STREAM_LIMIT: '2' }
  const here = useServer(settings)
  const there = useServer(settings, here)

  /** Returns the sums that servers have shared about this human. */
  async function sharedCounts({ actor_id }: Actor): Promise<number[]> {
    const { rows } = await query(
      here.connection,
      'SELECT sum(count)::int AS count FROM limit_counts WHERE key LIKE $1 GROUP BY key ORDER BY key',
      [`%/${actor_id}`],
    )
    return rows.map(({ count }) => count)
  }

  it('count writes together', async () => {
    const ada = await here.registerHuman()
    const space = await here.openSpace(ada)
    aMinuteLater()
    const speak = (server: Client) => server.as(ada).post(`${space}/speech`, { text: 'Hello' })
    expect(await statusesOf(41, () => speak(here))).toEqual([...Array(40).fill(200), 429])
    await eventually(async () => (await sharedCounts(ada)).includes(40))
    // The other server reads the counts when it has some of its own to write.
    await speak(there).expect(200)
    await eventually(async () => (await sharedCounts(ada)).includes(41))
    await eventually(async () => (await there.as(ada).post(`${space}/join`)).status === 429)
    expect((await sharedCounts(ada)).at(-1)).toBeLessThan(80)
  })

  it('count open streams together, until they are closed', async () => {
    const ada = await here.registerHuman()
    const space = await here.openSpace(ada)
    const streams = [await StreamReader.open(here.as(ada), space), await StreamReader.open(here.as(ada), space)]
    await eventually(async () => (await sharedCounts(ada)).includes(2))
    const refused = await eventually(async () => {
      const attempt = await StreamReader.open(there.as(ada), space).catch((error: Error) => error.message)
      if (typeof attempt === 'string') return attempt
      await attempt.close()
      return null
    })
    expect(refused).toContain('429')
    await Promise.all(streams.map((stream) => stream.close()))
    const open = await eventually(() => StreamReader.open(there.as(ada), space))
    await open.close()
  })

  it('delete counts of past windows', async () => {
    const key = `writes/0/${randomUUID()}`
    await query(here.connection, `INSERT INTO limit_counts VALUES ($1, $2, 7, now() - interval '1 day')`, [
      key,
      randomUUID(),
    ])
    const ada = await here.registerHuman()
    // A server looks for such rows once a minute while it counts.
    later(10 * MINUTE_MS)
    await here.openSpace(ada)
    await eventually(async () => {
      const { rows } = await query(here.connection, 'SELECT FROM limit_counts WHERE key = $1', [key])
      return rows.length === 0
    })
  })
})

describe('a server without limits', () => {
  const h = useServer({ FAILED_CREDENTIAL_LIMIT: '0', TRUST_PROXY: '1' })

  it('refuses no request and stores no counts', async () => {
    const ada = await h.registerHuman()
    const space = await h.openSpace(ada)
    const headers = { 'X-Forwarded-For': '203.0.113.7' }
    for (let n = 0; n < 20; n++) {
      await h.as('nonsense').get('/api/spaces', { headers }).expect(401)
      await h.as(ada).post(`${space}/speech`, { text: 'Hello' }).expect(200)
    }
    expect((await query(h.connection, 'SELECT FROM limit_counts')).rows).toEqual([])
  })
})
