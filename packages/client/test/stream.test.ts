import { eventually, NOTHING, useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import type { SpacesError } from '../src/error.js'
import type { Event } from '../src/router.js'
import type { SpaceStream, StreamOptions } from '../src/stream.js'
import { brisk } from './support/clients.js'
import { type Relay, relayTo, type Verdict } from './support/relay.js'
import { adasSpace, textsOf } from './support/space.js'

const h = useProgram()

/** Returns the texts of the next events. */
async function take(stream: AsyncIterable<Event>, count: number): Promise<string[]> {
  const texts: string[] = []
  for await (const { text } of stream) {
    texts.push(text)
    if (texts.length === count) break
  }
  return texts
}

/** Collects texts until the stream ends by itself. */
function readAll(stream: SpaceStream) {
  const texts: string[] = []
  const ended = (async () => {
    for await (const { text } of stream) texts.push(text)
  })()
  ended.catch(() => {})
  return { texts, ended }
}

/** Resolves when no bytes have passed for a while. */
async function stillness(relay: Relay): Promise<void> {
  let before = -1
  let looks = 0
  await eventually(() => {
    looks = relay.bytes === before ? looks + 1 : 0
    before = relay.bytes
    return looks === 25
  })
}

async function behindRelay(options: StreamOptions = {}, timing = {}) {
  const { ada, space_id, say } = await adasSpace(h)
  const relay = await relayTo(h.url)
  const open = (more: StreamOptions = {}) => brisk(relay.url, ada, timing).stream(space_id, { ...options, ...more })
  return { ada, space_id, say, relay, open }
}

describe('a stream', () => {
  it('replays the history, continues live, and keeps a cursor', async () => {
    const { space_id, client, say } = await adasSpace(h)
    await say('1')
    const stream = client.stream(space_id)
    expect(stream.cursor).toBeNull()
    const seen: [string, string | null][] = []
    for await (const event of stream) {
      expect(stream.cursor).toBe(event.event_id)
      seen.push([event.text, stream.endedBy])
      if (event.text === '3') break
      await say(`${Number(event.text) + 1}`)
    }
    expect(seen).toEqual([
      ['1', null],
      ['2', null],
      ['3', null],
    ])
  })

  it('begins after an event', async () => {
    const { space_id, client, say } = await adasSpace(h)
    const { event_id } = await say('1')
    await say('2')
    const stream = client.stream(space_id, { since: event_id })
    expect(stream.cursor).toBe(event_id)
    expect(await take(stream, 1)).toEqual(['2'])
  })

  it('continues after its cursor in another loop', async () => {
    const { space_id, client, say } = await adasSpace(h)
    for (const text of ['1', '2', '3', '4']) await say(text)
    const stream = client.stream(space_id)
    expect(await take(stream, 2)).toEqual(['1', '2'])
    expect(stream.endedBy).toBeNull()
    expect(await take(stream, 2)).toEqual(['3', '4'])
  })

  it('is read by one loop at a time', async () => {
    const { space_id, client, say } = await adasSpace(h)
    await say('1')
    const stream = client.stream(space_id)
    for await (const _ of stream) {
      await expect(take(stream, 1)).rejects.toThrow('This stream is being read already')
      break
    }
  })

  it('reassembles text wherever it was split on its way', async () => {
    const { space_id, client, say } = await adasSpace(h)
    const texts = ['\r\n:\n\ndata: x\nid: y\n\n', '😀ü漢'.repeat(20_000), '\u2028\u2029 \ufeff.']
    for (const text of texts) await say(text)
    expect(await take(client.stream(space_id), 3)).toEqual(texts)
  })
})

describe('the end of a stream', () => {
  it('comes at once when the signal fires, even between events that have arrived', async () => {
    const { space_id, client, say } = await adasSpace(h)
    for (const text of ['1', '2', '3']) await say(text)
    const stop = new AbortController()
    const stream = client.stream(space_id, { signal: stop.signal })
    const texts: string[] = []
    for await (const { text } of stream) {
      texts.push(text)
      if (text === '2') stop.abort()
    }
    expect(texts).toEqual(['1', '2'])
    expect(stream.endedBy).toBe('aborted')
    expect(await take(stream, 1)).toEqual([])
  })

  it.each<[string, Verdict, object]>([
    ['while nothing happens', 'pass', {}],
    ['while the server does not answer', 'swallow', {}],
    ['while it waits for another attempt', { status: 503 }, { firstDelay: 20_000, longestDelay: 30_000 }],
  ])('comes when the signal fires %s', async (_, verdict, timing) => {
    const { relay, open } = await behindRelay({}, timing)
    relay.conduct = () => verdict
    const stop = new AbortController()
    const stream = open({ signal: stop.signal })
    const { ended } = readAll(stream)
    await eventually(() => relay.requests.length === 1)
    stop.abort()
    await ended
    expect(stream.endedBy).toBe('aborted')
    expect(relay.requests).toHaveLength(1)
  })

  it('does not wait for another event when an iterator is returned', async () => {
    const { space_id, client } = await adasSpace(h)
    const iterator = client.stream(space_id)[Symbol.asyncIterator]()
    const next = iterator.next()
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined })
    expect(await next).toEqual({ done: true, value: undefined })
  })

  it('comes with the end of the credential, and has the refusal', async () => {
    const { ada, space_id, client, say } = await adasSpace(h)
    await say('1')
    const stream = client.stream(space_id)
    const { texts, ended } = readAll(stream)
    await eventually(() => texts.length === 1)
    await client.actor.rotateKey.mutate({ actor_id: ada.actor_id })
    await ended
    expect(stream.endedBy).toBe('credential')
    expect(stream.refusal).toMatchObject({ status: 401, detail: 'Authentication required' })
    expect(texts).toEqual(['1'])
  })

  it('is a SpacesError when the server refuses it', async () => {
    const { ada, space_id, client } = await adasSpace(h)
    const refusals: [SpaceStream, number, string][] = [
      [brisk(h.url).stream(space_id), 401, 'Authentication required'],
      [brisk(h.url, { api_key: 'svc_wrong' }).stream(space_id), 401, 'Authentication required'],
      [client.stream('nowhere'), 404, 'Space not found'],
      [client.stream('no/where?'), 404, 'Space not found'],
      [client.stream(space_id, { since: NOTHING }), 404, 'Event not found'],
      [client.stream(space_id, { since: 'no\r\nid: ü&' }), 404, 'Event not found'],
      [brisk(`${h.url}/elsewhere`, ada).stream(space_id), 404, 'Path not found: see /docs'],
      [brisk(h.url, ada).stream('..'), 404, 'Path not found: see /docs'],
    ]
    for (const [stream, status, detail] of refusals) {
      await expect(take(stream, 1)).rejects.toMatchObject({ name: 'SpacesError', status, detail })
      expect(stream.endedBy).toBeNull()
    }
  })

  it('is a SpacesError when the answer is not a stream', async () => {
    const { relay, open } = await behindRelay()
    relay.conduct = () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' })
    await expect(take(open(), 1)).rejects.toMatchObject({
      status: 200,
      detail: expect.stringContaining('check the url'),
    })
  })
})

describe('a stream that is interrupted', () => {
  it('misses and repeats no event, wherever its connections break', async () => {
    const { ada, space_id, say, relay, open } = await behindRelay()
    const cutEvery = 6
    const texts: string[] = []
    const writing = (async () => {
      for (let n = 0; n < 100; n++) await say(`${n} ${'x'.repeat((n * 997) % 10_000)}`)
    })()
    for await (const { text } of open()) {
      texts.push(text)
      if (texts.length % cutEvery === 0) relay.cut()
      if (texts.length === 100) break
    }
    await writing
    expect(texts).toEqual(await textsOf(h, ada, space_id))
    expect(relay.requests.length).toBeGreaterThan(5)
  })

  it('reconnects after each temporary failure, and reports each delay', async () => {
    const verdicts: Verdict[] = [
      { status: 503, headers: { 'retry-after': '0' }, body: '{"detail":"Later","request_id":"r"}' },
      { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' },
      'drop',
      { status: 429, body: '{"detail":"Slow down"}' },
      { status: 408 },
      { status: 200, headers: { 'content-type': 'text/event-stream' } },
      { status: 200, headers: { 'content-type': 'text/event-stream' }, body: 'event: context_event\ndata: {bad\n\n' },
    ]
    const waits: [SpacesError | null, number][] = []
    let connections = 0
    const { relay, open, say } = await behindRelay({
      onReconnect: (error, delay) => waits.push([error, delay]),
      onConnect: () => connections++,
    })
    relay.conduct = () => verdicts.shift() ?? 'pass'
    await say('1')
    expect(await take(open(), 1)).toEqual(['1'])
    expect(waits.map(([error]) => error && (error.status ?? 'no answer'))).toEqual([
      503,
      502,
      'no answer',
      429,
      408,
      null,
      'no answer',
    ])
    expect(waits[0]?.[0]).toMatchObject({ detail: 'Later', fields: {}, mayPass: true })
    // The last two connections were open for a while, which resets their delays.
    for (const [index, [, delay]] of waits.slice(0, 5).entries()) {
      expect(delay).toBeGreaterThanOrEqual(Math.min(10 * 2 ** index, 100 / 1.5))
      expect(delay).toBeLessThanOrEqual(100)
    }
    expect(connections).toBe(3)
  })

  it('waits as long as Retry-After says, up to five minutes', async () => {
    const waits: number[] = []
    const { relay, open } = await behindRelay()
    const inAMinute = new Date(Date.now() + 60_000).toUTCString()
    for (const after of ['7', inAMinute, '999999']) {
      relay.conduct = () => ({ status: 429, headers: { 'retry-after': after } })
      const stop = new AbortController()
      const onReconnect = (_: unknown, delay: number) => {
        waits.push(delay)
        stop.abort()
      }
      await take(open({ signal: stop.signal, onReconnect }), 1)
    }
    expect(waits[0]).toBe(7_000)
    expect(waits[1]).toBeGreaterThan(50_000)
    expect(waits[1]).toBeLessThanOrEqual(60_000)
    expect(waits[2]).toBe(300_000)
  })

  it('reconnects soon after a working connection', async () => {
    const waits: number[] = []
    const timing = { firstDelay: 100, longestDelay: 100_000, reconnect: 1 }
    const { relay, open, say } = await behindRelay({ onReconnect: (_, delay) => waits.push(delay) }, timing)
    await say('0')
    const texts: string[] = []
    for await (const { text } of open()) {
      texts.push(text)
      if (texts.length === 4) break
      relay.cut()
      await say(`${texts.length}`)
    }
    expect(texts).toEqual(['0', '1', '2', '3'])
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(1)
    expect(waits).toHaveLength(3)
  })

  it('does not reconnect at once when the connection closed right after it opened', async () => {
    const { relay, open } = await behindRelay({}, { firstDelay: 10_000, longestDelay: 100_000 })
    relay.conduct = () => ({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: ': hello\n\n' })
    const stop = new AbortController()
    const waits: [SpacesError | null, number][] = []
    const onReconnect = (error: SpacesError | null, delay: number) => {
      waits.push([error, delay])
      stop.abort()
    }
    expect(await take(open({ signal: stop.signal, onReconnect }), 1)).toEqual([])
    expect(waits).toEqual([[null, expect.any(Number)]])
    expect(waits[0]?.[1]).toBeGreaterThanOrEqual(10_000)
  })

  it('treats a silent connection as dead', async () => {
    const failures: (SpacesError | null)[] = []
    const timing = { silence: 500 }
    const stop = new AbortController()
    const { relay, open, say } = await behindRelay({ onReconnect: (error) => failures.push(error) }, timing)
    await say('1')
    const { texts, ended } = readAll(open({ signal: stop.signal }))
    await eventually(() => texts.length === 1)
    relay.freeze()
    await say('2')
    await eventually(() => texts.length === 2)
    expect(failures[0]).toMatchObject({ status: null, detail: expect.stringContaining('nothing came for 0.5 seconds') })
    let swallowed = 0
    relay.conduct = () => (swallowed++ < 2 ? 'swallow' : 'pass')
    relay.cut()
    await say('3')
    await eventually(() => texts.length === 3)
    expect(texts).toEqual(['1', '2', '3'])
    stop.abort()
    await ended
  })

  it('ends when the credential has ended meanwhile', async () => {
    const { ada, open, say, relay } = await behindRelay()
    await say('1')
    const stream = open()
    const { texts, ended } = readAll(stream)
    await eventually(() => texts.length === 1)
    relay.conduct = () => 'drop'
    relay.cut()
    await h.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`).expect(200)
    relay.conduct = () => 'pass'
    await ended
    expect(stream.endedBy).toBe('credential')
  })
})

describe('a slow loop', () => {
  it('applies backpressure to the server, and misses no event', async () => {
    const { ada, space_id, say, relay, open } = await behindRelay()
    // A control character takes six bytes of JSON.
    const size = 600_000
    const count = 30
    for (let n = 0; n < count; n++) await say(`${n} ${'\u0001'.repeat(size / 6)}`.slice(0, 100_000))
    const texts: string[] = []
    for await (const { text } of open()) {
      if (texts.length === 0) {
        await stillness(relay)
        // Buffers below the loop take some megabytes on their own.
        expect(relay.bytes).toBeLessThan(size * count * 0.75)
      }
      texts.push(text)
      if (texts.length === count) break
    }
    expect(texts).toEqual(await textsOf(h, ada, space_id))
  })
})
