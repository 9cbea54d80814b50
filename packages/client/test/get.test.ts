import { useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { clientWith } from '../src/client.js'
import type { SpacesError } from '../src/error.js'
import type { Event } from '../src/router.js'
import { BRISK, brisk } from './support/clients.js'
import { relayTo, type Verdict } from './support/relay.js'
import { adasSpace } from './support/space.js'

const h = useProgram()

const MIB = 1024 * 1024

const LONG_TEXT = 'x'.repeat(100_000)

/** Creates a space with an event, and a client that reaches it through a relay. */
async function behindRelay(timing = {}) {
  const { ada, space_id, say } = await adasSpace(h)
  const event = await say('1')
  const relay = await relayTo(h.url)
  const client = brisk(relay.url, ada, timing)
  /** Adds four megabytes. */
  const fill = async () => {
    const event = { speaker_id: 'bridge', speaker_name: 'Bridge', text: LONG_TEXT }
    await client.event.appendBatch.mutate({ space_id, events: Array.from({ length: 40 }, () => event) })
    relay.bytes = 0
    relay.requests.length = 0
  }
  const path = `/api/spaces/${space_id}/events` as const
  return { ada, space_id, relay, client, event, path, fill }
}

/** The beginning of an answer that breaks off. */
const HALF: Verdict = { status: 200, body: '[{', breaksOff: true }

describe('get', () => {
  it('does not treat a long poll as a silent server', async () => {
    const { client, path, event } = await behindRelay({ silence: 300 })
    expect(await client.get<Event[]>(`${path}?since=${event.event_id}&wait=1`)).toEqual([])
  })

  it('returns the answer of REST', async () => {
    const { client, path, event } = await behindRelay()
    expect(await client.get<Event[]>(path)).toEqual([event])
    expect(await client.get<Event[]>(`${path}?since=${event.event_id}`)).toEqual([])
    await expect(client.get('/api/spaces/nowhere/status')).rejects.toMatchObject({
      name: 'SpacesError',
      status: 404,
      detail: 'Space not found',
    })
  })

  it('reads an answer that is too large for a call', async () => {
    const { client, space_id, fill } = await behindRelay()
    for (let n = 0; n < 9; n++) await fill()
    await expect(client.event.transcript.query({ space_id })).rejects.toMatchObject({ status: 413 })
    const transcript = await client.get<Event[]>(`/api/spaces/${space_id}/transcript`)
    expect(transcript).toHaveLength(361)
    expect(transcript.at(-1)?.text).toBe(LONG_TEXT)
  })

  it('reads no more than the given function reads', async () => {
    const { client, relay, path, fill } = await behindRelay()
    for (let n = 0; n < 3; n++) await fill()
    const beginning = await client.get(path, {
      read: async ({ body }) => {
        for await (const chunk of body ?? []) return new TextDecoder().decode(chunk).slice(0, 2)
        return ''
      },
    })
    expect(beginning).toBe('[{')
    expect(relay.bytes).toBeLessThan(8 * MIB)
  })

  it.each<[string, Verdict]>([
    ['a page of a proxy', { status: 503, body: '<h1>Down</h1>' }],
    ['a connection that breaks', 'drop'],
    ['an answer that is lost', 'lose'],
    ['an answer that breaks off', HALF],
  ])('is retried after %s, and calls onRetry', async (_, verdict) => {
    const { ada, relay, path, event } = await behindRelay()
    const failures: SpacesError[] = []
    const onRetry = (error: SpacesError) => failures.push(error)
    const client = clientWith({ url: relay.url, token: ada.api_key, onRetry }, BRISK)
    let left = 2
    relay.conduct = () => (left-- > 0 ? verdict : 'pass')
    expect(await client.get(path)).toEqual([event])
    expect(relay.requests).toHaveLength(3)
    expect(failures).toMatchObject([{ mayPass: true }, { mayPass: true }])
  })

  it('is retried after a silence, also in the middle of an answer', async () => {
    const { relay, client, path, fill } = await behindRelay({ silence: 2_000 })
    for (let n = 0; n < 3; n++) await fill()
    let left = 1
    relay.conduct = () => (left-- > 0 ? 'swallow' : 'pass')
    const read = async (response: Response) => {
      if (relay.requests.length === 2) relay.freeze()
      return response.text()
    }
    expect(await client.get(path, { read })).toContain(LONG_TEXT)
    expect(relay.requests).toHaveLength(3)
  })

  it('fails after five attempts, with the last error', async () => {
    const { client, relay, path } = await behindRelay()
    relay.conduct = () => HALF
    await expect(client.get(path)).rejects.toMatchObject({ status: null, mayPass: true })
    expect(relay.requests).toHaveLength(5)
  })

  it('is not retried when a retry cannot help', async () => {
    const { client, relay, path } = await behindRelay()
    relay.conduct = () => ({ status: 200, body: '<h1>Welcome</h1>' })
    await expect(client.get(path)).rejects.toMatchObject({ status: 200, mayPass: false })
    relay.conduct = () => ({ status: 429, headers: { 'retry-after': '1' }, body: '{"detail":"Slow down"}' })
    await expect(client.get(path)).rejects.toMatchObject({ status: 429, detail: 'Slow down', retryAfterMs: 1_000 })
    relay.conduct = () => 'pass'
    const read = async () => {
      throw new Error('The program fails by itself')
    }
    await expect(client.get(path, { read })).rejects.toThrow('The program fails by itself')
    expect(relay.requests).toHaveLength(3)
  })

  it.each<[string, Verdict, object]>([
    ['while it waits for another attempt', { status: 503 }, { firstDelay: 20_000, longestDelay: 30_000 }],
    ['while the server does not answer', 'swallow', {}],
  ])('ends when its signal fires %s', async (_, verdict, timing) => {
    const { client, relay, path } = await behindRelay(timing)
    relay.conduct = () => verdict
    const reading = client.get(path, { signal: AbortSignal.timeout(300) })
    await expect(reading).rejects.toMatchObject({ status: null, detail: 'Aborted', mayPass: false })
    await expect(client.get(path, { signal: AbortSignal.abort() })).rejects.toMatchObject({ detail: 'Aborted' })
    expect(relay.requests).toHaveLength(1)
  })

  it('sends its token to no other host', async () => {
    const { relay } = await behindRelay()
    const { port } = new URL(relay.url)
    const client = brisk(h.url, await h.registerHuman())
    for (const path of ['@127.0.0.1', `@127.0.0.1:${port}/api`, `.example.org`, '']) {
      expect(() => client.get(path as `/${string}`)).toThrow(TypeError)
    }
    await expect(client.get(`//127.0.0.1:${port}/api`)).rejects.toMatchObject({ status: 404 })
    expect(relay.requests).toEqual([])
  })
})
