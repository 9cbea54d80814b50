import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { EventStream } from '@collab-spaces/api'
import { asSystem } from '@collab-spaces/db'
import { DEFAULT_TENANT } from '@collab-spaces/domain'
import { type Actor, Client, eventually, NOTHING, query, spaceIdOf } from '@collab-spaces/testing'
import express from 'express'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeGracefully, createHttpServer } from '../src/http/server.js'
import { CONTEXT_EVENTS, StreamWriter } from '../src/http/stream.js'
import { listen } from '../src/listen.js'
import { fillSpace } from './support/history.js'
import { answersIn, RawClient, untilClosed } from './support/raw.js'
import { startServer, useServer } from './support/server.js'
import { Stack, startStack } from './support/stack.js'
import { type StreamOptions, StreamReader } from './support/stream.js'

const h = useServer()

const opened: StreamReader[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((reader) => reader.close()))
})

async function open(client: Client, space: string, options?: StreamOptions): Promise<StreamReader> {
  const reader = await StreamReader.open(client, space, options)
  opened.push(reader)
  return reader
}

async function say(client: Client, space: string, text: string) {
  return await client.post(`${space}/speech`, { text }).expect(200)
}

/** The ids of the whole history, page by page. */
async function storedIds(client: Client, space: string): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const since = ids.length > 0 ? `&since=${ids.at(-1)}` : ''
    const page = (await client.get(`${space}/events?limit=200${since}`).expect(200)) as { event_id: string }[]
    if (page.length === 0) return ids
    ids.push(...page.map(({ event_id }) => event_id))
  }
}

const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index))

describe('the format of a stream', () => {
  it('matches the reference byte for byte', async () => {
    const ada = h.as(await h.registerHuman())
    const space = await h.openSpace({ api_key: ada.key } as Actor)
    const first = await ada.post(`${space}/speech`, { text: 'Grüße\r\nin two lines\u2028and a third: data: x' })
    const second = await ada.post(`${space}/speech`, { text: 'event: fake\n\n' })
    const reader = await (await open(ada, space)).read(2)
    expect(reader.raw.replace(/^(: keep-alive\n\n)+/, '')).toBe(
      [first, second]
        .map((event) => `event: context_event\ndata: ${event.text}\nid: ${event.body.event_id}\n\n`)
        .join(''),
    )
    expect(reader.raw.startsWith(': keep-alive\n\n')).toBe(true)
    const { headers } = reader.response
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-accel-buffering')).toBe('no')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('begins with a comment before the first event', async () => {
    const ada = await h.registerHuman()
    const reader = await open(h.as(ada), await h.openSpace(ada))
    await reader.until(({ comments }) => comments.length > 0)
    expect(reader.events).toEqual([])
  })

  it('returns only headers for HEAD', async () => {
    const ada = await h.registerHuman()
    const answer = await h.as(ada).send('HEAD', `${await h.openSpace(ada)}/events/stream`)
    answer.expect(200)
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(answer.text).toBe('')
  })
})

describe('a connection with requests before or after a stream', () => {
  const request = (path: string, key: string) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`

  /** Sends bytes over a connection, and waits until the received text is enough. */
  async function talk(url: string, bytes: string, enough: (text: string) => boolean) {
    const socket = new RawClient({ url }).open(bytes)
    const exchange = { socket, text: '', isOver: false }
    socket.on('data', (chunk) => {
      exchange.text += chunk
    })
    socket.on('close', () => {
      exchange.isOver = true
    })
    await eventually(() => enough(exchange.text))
    return exchange
  }

  it('answers earlier requests, then begins the stream', async () => {
    const ada = await h.registerHuman()
    const space = await h.openSpace(ada)
    await say(h.as(ada), space, 'first')
    const bytes = request('/api/actors/me', ada.api_key) + request(`${space}/events/stream`, ada.api_key)
    const { socket, text } = await talk(h.url, bytes, (text) => text.includes('context_event'))
    const [me, stream] = answersIn(text.slice(0, text.indexOf(': keep-alive\n\n')))
    expect(JSON.parse(me?.text ?? '')).toMatchObject({ actor_id: ada.actor_id })
    expect(stream).toMatchObject({ status: 200, headers: { connection: 'close' } })
    socket.destroy()
  })

  it('answers further requests after a refused stream', async () => {
    const ada = await h.registerHuman()
    const bytes = request('/api/spaces/nowhere/events/stream', ada.api_key) + request('/health', ada.api_key)
    const { socket, text } = await talk(h.url, bytes, (text) => text.includes('"ok"'))
    expect(answersIn(text).map(({ status }) => status)).toEqual([404, 200])
    socket.destroy()
  })

  it('ignores requests after a stream, and releases the stream when it closes', async () => {
    const stack = await startStack(h.connection)
    const ada = await h.registerHuman()
    const space = await h.openSpace(ada)
    const stream = request(`${space}/events/stream`, ada.api_key)
    const bytes = stream + request('/health', ada.api_key) + stream
    const exchange = await talk(stack.url, bytes, (text) => text.includes(': keep-alive'))
    await say(new Client(stack.url, ada.api_key), space, 'live')
    await eventually(() => exchange.text.includes('live'))
    expect(exchange.text.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(stack.services.revocations.streams).toBe(1)
    exchange.socket.destroy()
    await eventually(() => stack.services.revocations.streams === 0)
  })

  it('works with HTTP/1.0', async () => {
    const ada = await h.registerHuman()
    const space = await h.openSpace(ada)
    await say(h.as(ada), space, 'hello')
    const bytes = `GET ${space}/events/stream?token=${ada.api_key} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`
    const exchange = await talk(h.url, bytes, (text) => text.includes('hello'))
    expect(exchange.text).not.toMatch(/^transfer-encoding:/im)
    await h.as(ada).delete(`/api/actors/${ada.actor_id}`).expect(200)
    await eventually(() => exchange.isOver)
  })
})

describe('access to a stream', () => {
  it('is granted by a credential in the header or the query', async () => {
    const { ada, path: space } = await h.adasSpace()
    await say(h.as(ada), space, 'hello')
    const byHeader = await open(h.as(ada), space)
    const byQuery = await open(h.as(undefined), space, { query: `?token=${ada.api_key}` })
    expect((await byHeader.read(1)).texts).toEqual(['hello'])
    expect((await byQuery.read(1)).texts).toEqual(['hello'])
  })

  it('returns 401 in JSON without a valid credential, and prefers the header', async () => {
    const ada = await h.registerHuman()
    const path = `${await h.openSpace(ada)}/events/stream`
    await h.get(path).expect(401, 'Authentication required')
    await h.get(`${path}?token=svc_nonsense`).expect(401, 'Authentication required')
    await h.as('svc_nonsense').get(`${path}?token=${ada.api_key}`).expect(401, 'Authentication required')
    expect((await h.send('HEAD', path)).status).toBe(401)
  })

  it('returns 404 in JSON for an unknown space or cursor', async () => {
    const { ada, client, path: space } = await h.adasSpace()
    const elsewhere = await say(client, await h.openSpace(ada), 'in another space')
    await client.get('/api/spaces/nowhere/events/stream').expect(404, 'Space not found')
    for (const cursor of [NOTHING, 'nonsense', elsewhere.event_id]) {
      await client.get(`${space}/events/stream?since=${cursor}`).expect(404, 'Event not found')
      await client
        .get(`${space}/events/stream`, { headers: { 'Last-Event-ID': cursor } })
        .expect(404, 'Event not found')
    }
  })
})

describe('the start of a stream', () => {
  it('resumes after since or after Last-Event-ID, which has precedence', async () => {
    const ada = h.as(await h.registerHuman())
    const space = await h.openSpace({ api_key: ada.key } as Actor)
    const events = []
    for (const text of count(1, 5)) events.push(await say(ada, space, text))
    const [, second, third] = events
    const since = `?since=${second.event_id}`
    const headers = { 'Last-Event-ID': third.event_id }
    expect((await (await open(ada, space, { query: since })).read(3)).texts).toEqual(['3', '4', '5'])
    expect((await (await open(ada, space, { headers })).read(2)).texts).toEqual(['4', '5'])
    expect((await (await open(ada, space, { headers, query: since })).read(2)).texts).toEqual(['4', '5'])
    const atTheEnd = await open(ada, space, { query: `?since=${events[4].event_id}` })
    await say(ada, space, '6')
    expect((await atTheEnd.read(1)).texts).toEqual(['6'])
  })

  it('replays thousands of events in order, then continues live', async () => {
    const { ada, path: space } = await h.adasSpace()
    await fillSpace(h.connection, space, ada, { count: 2_500, text: String })
    const reader = await (await open(h.as(ada), space)).read(2_500)
    await say(h.as(ada), space, 'live')
    expect((await reader.read(2_501)).texts).toEqual([...count(1, 2_500).map(String), 'live'])
    expect(reader.ids).toEqual(await storedIds(h.as(ada), space))
  })

  it('reads only as many long events as it sends', async () => {
    const stack = await startStack(h.connection)
    const ada = await h.registerHuman()
    const space = await h.openSpace(ada)
    await fillSpace(h.connection, space, ada, { count: 60, text: () => 'x'.repeat(100_000) })
    const asked = vi.spyOn(stack.services.database.events, 'entries')
    await (await open(new Client(stack.url, ada.api_key), space)).read(60)
    const read = await Promise.all(asked.mock.results.map(({ value }) => value))
    expect(Math.max(...read.map(({ length }) => length))).toBe(2)
    // The tail and a reader behind it may read the same batch at the same time.
    expect(read.flat().length).toBeLessThan(2 * 60)
  })

  it('works in an archived space, and keeps open streams open', async () => {
    const { client, path: space } = await h.adasSpace()
    await say(client, space, 'history')
    const before = await (await open(client, space)).read(1)
    await client.post(`${space}/archive`).expect(200)
    const after = await (await open(client, space)).read(1)
    expect(after.texts).toEqual(['history'])
    expect(before.isOver).toBe(false)
    expect(after.isOver).toBe(false)
  })
})

describe('the end of a credential', () => {
  const other = useServer({}, h)

  /** A stream of the actor on each of the two instances, and one of another actor. */
  async function streamsOf(actor: Actor) {
    const witness = await h.registerHuman('Witness')
    const space = await h.openSpace(witness)
    await say(h.as(witness), space, 'before')
    const [here, there, still] = (await Promise.all([
      open(h.as(actor), space),
      open(other.as(actor), space),
      open(h.as(witness), space),
    ])) as [StreamReader, StreamReader, StreamReader]
    for (const reader of [here, there, still]) await reader.read(1)
    return { witness, space, here, there, still }
  }

  async function expectToEnd(...readers: StreamReader[]) {
    await Promise.all(readers.map((reader) => reader.until(({ isOver }) => isOver)))
  }

  it('by rotation ends its streams on every instance', async () => {
    const ada = await h.registerHuman()
    const { witness, space, here, there, still } = await streamsOf(ada)
    const { api_key } = await h.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`).expect(200)
    await expectToEnd(here, there)
    await say(h.as(witness), space, 'after')
    expect((await still.read(2)).texts).toEqual(['before', 'after'])
    expect(here.texts).toEqual(['before'])
    await h.as(ada).get(`${space}/events/stream`).expect(401)
    const again = await open(h.as(api_key), space, { headers: { 'Last-Event-ID': here.cursor as string } })
    expect((await again.read(1)).texts).toEqual(['after'])
  })

  it('by deletion of a human ends its streams and those of its agents', async () => {
    const ada = await h.registerHuman()
    const scout = await h.registerAgent(ada)
    const { here, there, still } = await streamsOf(ada)
    const ofAgent = await streamsOf(scout)
    await h.as(ada).delete(`/api/actors/${ada.actor_id}`).expect(200)
    await expectToEnd(here, there, ofAgent.here, ofAgent.there)
    expect(still.isOver).toBe(false)
  })

  it('by suspension of the tenant ends its streams, even without a signal', async () => {
    const ada = await h.registerHuman()
    const { space, here, there, still } = await streamsOf(ada)
    const suspend = (status: string) => query(h.connection, 'UPDATE tenants SET status = $1', [status])
    await suspend('suspended')
    try {
      await expectToEnd(here, there, still)
      await h.as(ada).get(`${space}/events/stream`).expect(403, 'Tenant is suspended')
    } finally {
      await suspend('active')
    }
    expect((await (await open(h.as(ada), space)).read(1)).texts).toEqual(['before'])
  })
})

describe('the stop of a server', () => {
  it('ends its streams at once', async () => {
    const server = await startServer(h.connection)
    const { ada, path: space } = await h.adasSpace()
    const reader = await open(new Client(server.url, ada.api_key), space)
    await reader.until(({ comments }) => comments.length > 0)
    await Promise.all([server.stop(), reader.ended])
  })
})

describe('a connection that sends nothing', () => {
  it('does not delay the stop of a server', async () => {
    const server = await startServer(h.connection)
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    await once(socket, 'connect')
    await server.stop()
    socket.destroy()
  })
})

describe('the notification channel', () => {
  it('ignores malformed signals', async () => {
    const { ada, path: space } = await h.adasSpace()
    const reader = await open(h.as(ada), space)
    for (const payload of ['', 'nonsense', 'null', '7', '{}', '[null,1,"x",[],{}]', '[{"kind":"head"}]']) {
      await query(h.connection, 'SELECT pg_notify($1, $2)', ['collaboration_spaces', payload])
    }
    await say(h.as(ada), space, 'still there')
    expect((await reader.read(1)).texts).toEqual(['still there'])
  })
})

const STALL_MS = 400

/** The end of a chunked body. */
const LAST_CHUNK = '\r\n0\r\n\r\n'

describe('stalled readers', () => {
  const impatient = new Stack({ stallMs: STALL_MS })
  let ada: Actor
  let space: string
  beforeAll(async () => {
    await impatient.start(h.connection)
    ada = await h.registerHuman()
    space = await h.openSpace(ada)
    await fillSpace(h.connection, space, ada, { count: 300, text: () => 'x'.repeat(100_000) })
  })
  afterAll(() => impatient.stop())

  it.each([
    ['the stream', (path: string) => `${path}/events/stream`],
    ['a transcript', (path: string) => `${path}/transcript`],
    ['a page', (path: string) => `${path}/events?limit=200`],
    ['a subscription', (path: string) => `/trpc/event.stream?input={"space_id":"${spaceIdOf(path)}"}`],
  ])('are disconnected after the stall timeout: %s', async (_of, target) => {
    const { socket, server } = await impatient.ask(target(space), ada.api_key)
    await eventually(() => server.writableLength > 0)
    const begun = performance.now()
    await once(server, 'close')
    expect(performance.now() - begun).toBeGreaterThan(STALL_MS / 2)
    await eventually(() => impatient.services.revocations.streams === 0)
    socket.destroy()
  })

  it('have at most one batch in the send buffer', async () => {
    const { socket, server } = await impatient.ask(`${space}/events/stream`, ada.api_key)
    let most = 0
    while (!server.destroyed) {
      most = Math.max(most, server.writableLength)
      await delay(5)
    }
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(512 * 1024)
    socket.destroy()
  })

  it('lose their stream with their credential, before the stall timeout', async () => {
    const patient = await startStack(h.connection, { stallMs: 60_000 })
    const eve = await h.registerHuman('Eve')
    const { socket, server } = await patient.ask(`${space}/events/stream`, eve.api_key)
    await eventually(() => server.writableLength > 0)
    await h.as(eve).delete(`/api/actors/${eve.actor_id}`).expect(200)
    await once(server, 'close')
    socket.destroy()
  })

  it.each([
    ['a transcript', '/transcript'],
    ['a page', '/events?limit=200'],
  ])('lose the rest of %s with their credential, without a final chunk', async (_of, target) => {
    const patient = await startStack(h.connection, { stallMs: 60_000 })
    const eve = await h.registerHuman('Eve')
    const [hers, adas] = [
      await patient.ask(`${space}${target}`, eve.api_key),
      await patient.ask(`${space}${target}`, ada.api_key),
    ]
    for (const { server } of [hers, adas]) await eventually(() => server.writableLength > 0)
    await h.as(eve).post(`/api/actors/${eve.actor_id}/rotate-key`).expect(200)
    await eventually(() => hers.server.destroyed)
    const heard = untilClosed(hers.socket.resume())
    expect((await heard).endsWith(LAST_CHUNK)).toBe(false)

    expect(adas.server.destroyed).toBe(false)
    adas.socket.resume()
    const chunks: Buffer[] = []
    adas.socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    await eventually(() => chunks.at(-1)?.toString().endsWith(LAST_CHUNK))
    adas.socket.destroy()
  })

  it('receive all missed events in order when they resume in time', async () => {
    const patient = await startStack(h.connection, { stallMs: 60_000 })
    const busy = await h.openSpace(ada)
    const { socket, server } = await patient.ask(`${busy}/events/stream`, ada.api_key)
    const writer = new Client(patient.url, ada.api_key)
    const texts = Array.from({ length: 150 }, (_, n) => `${n} ${'x'.repeat(99_000)}`)
    let last = ''
    for (const text of texts) last = (await say(writer, busy, text)).event_id
    expect(server.writableLength).toBeGreaterThan(0)
    const heard: Buffer[] = []
    socket.on('data', (chunk: Buffer) => heard.push(chunk)).resume()
    await eventually(() => heard.at(-1)?.toString().endsWith(`id: ${last}\n\n`))
    const order = [
      ...Buffer.concat(heard)
        .toString()
        .matchAll(/"text":"(\d+) x/g),
    ].map(([, n]) => Number(n))
    expect(order).toEqual(texts.map((_, n) => n))
    socket.destroy()
  })

  it('do not include slow readers, even of large events', async () => {
    const library = await h.openSpace(ada)
    await fillSpace(h.connection, library, ada, { count: 15, text: () => 'x'.repeat(2_000_000) })
    const { socket, server } = await impatient.ask(`${library}/events/stream`, ada.api_key)
    let read = 0
    let wanted = 0
    socket.on('data', ({ length }) => {
      read += length
      if (read > wanted) socket.pause()
    })
    const begun = performance.now()
    while (read < 25_000_000 && !server.destroyed) {
      wanted = read + 1_000_000
      socket.resume()
      await delay(75)
    }
    expect(read).toBeGreaterThanOrEqual(25_000_000)
    // Several times the stall timeout.
    expect(performance.now() - begun).toBeGreaterThan(STALL_MS * 4)
    socket.destroy()
  })
})

describe('readers that disconnect', () => {
  it('release their socket and stream, however early they disconnect', async () => {
    const stack = await startStack(h.connection)
    const ada = await h.registerHuman()
    const client = new Client(stack.url, ada.api_key)
    const space = await h.openSpace(ada)
    const staying = await open(client, space)
    await staying.until(({ comments }) => comments.length > 0)
    // At every moment from before the request is read to after the stream has begun.
    for (let ms = 0; ms < 20; ms++) {
      const { socket } = await stack.ask(`${space}/events/stream`, ada.api_key)
      await delay(ms)
      socket.destroy()
    }
    await eventually(() => stack.sockets.filter(({ destroyed }) => !destroyed).length <= 1)
    await eventually(() => stack.services.revocations.streams === 1)
    await staying.close()
    await eventually(() => stack.services.revocations.streams === 0)
  })
})

describe('keep-alive comments', () => {
  it('are sent on a quiet stream', async () => {
    const stack = await startStack(h.connection)
    const { ada, path: space } = await h.adasSpace()
    const [{ hash }] = (
      await query(h.connection, 'SELECT key_hash AS hash FROM api_keys WHERE actor_id = $1', [ada.actor_id])
    ).rows as [{ hash: Buffer }]
    const principal = await stack.services.database.credentials.lookUp(hash)
    const caller = { ...(principal as NonNullable<typeof principal>), credentialHash: hash, address: () => null }
    const writer = new StreamWriter(CONTEXT_EVENTS, () => {}, 20)
    const start = { space: asSystem(DEFAULT_TENANT, spaceIdOf(space)), after: 0 }
    const app = express().use((_request, response) => {
      writer.write(response, new EventStream(stack.services, caller, start))
    })
    const server = createHttpServer(app)
    try {
      const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`
      const reader = await open(new Client(url), space)
      await reader.until(({ comments }) => comments.length >= 4)
      expect(reader.raw).toMatch(/^(: keep-alive\n\n)+$/)
    } finally {
      await closeGracefully(server, 0)
    }
  })
})

describe('many readers of one space', () => {
  it('are served from memory, without database queries', async () => {
    const stack = await startStack(h.connection)
    const ada = await h.registerHuman()
    const client = new Client(stack.url, ada.api_key)
    const space = await h.openSpace(ada)
    const readers = await Promise.all(Array.from({ length: 30 }, () => open(client, space)))
    await say(client, space, '0')
    await Promise.all(readers.map((reader) => reader.read(1)))
    const asked = vi.spyOn(stack.services.database.events, 'entries')
    for (const text of ['1', '2', '3']) await say(client, space, text)
    for (const reader of readers) expect((await reader.read(4)).texts).toEqual(['0', '1', '2', '3'])
    expect(asked).not.toHaveBeenCalled()
  })
})

describe('a signal of a position beyond the log', () => {
  it('neither stops streams nor causes repeated queries', async () => {
    const stack = await startStack(h.connection)
    const ada = await h.registerHuman()
    const client = new Client(stack.url, ada.api_key)
    const space = await h.openSpace(ada)
    const { events, bus } = stack.services.database
    const asked = vi.spyOn(events, 'entries')
    const reader = await open(client, space)
    await reader.until(({ comments }) => comments.length > 0)
    const hint = {
      kind: 'head',
      tenantId: DEFAULT_TENANT,
      spaceId: spaceIdOf(space),
      head: 1_000,
    } as const
    const heard = new Promise<void>((resolve) => bus.subscribe(() => resolve()))
    bus.publish(hint)
    await heard
    for (const text of ['1', '2', '3']) await say(client, space, text)
    expect((await reader.read(3)).texts).toEqual(['1', '2', '3'])
    await delay(100)
    expect(asked.mock.calls.length).toBeLessThan(12)
  })
})
