import { useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { clientWith } from '../src/client.js'
import { createClient } from '../src/index.js'
import { BRISK, brisk } from './support/clients.js'
import { relayTo } from './support/relay.js'
import { adasSpace } from './support/space.js'

const h = useProgram()

describe('calls', () => {
  it('go to the given address, with or without a slash, a path and a token', async () => {
    const relay = await relayTo(h.url)
    for (const url of [relay.url, `${relay.url}/`, `${relay.url}//`]) {
      const actor = await createClient({ url }).actor.register.mutate({ display_name: 'Ada', email: 'ada@example.org' })
      expect(await createClient({ url, token: actor.api_key }).actor.me.query()).toMatchObject({ display_name: 'Ada' })
    }
    await expect(brisk(`${relay.url}/below/`).actor.me.query()).rejects.toMatchObject({ status: 404 })
    expect(new Set(relay.requests.map((request) => request.split('?')[0]))).toEqual(
      new Set(['POST /trpc/actor.register', 'GET /trpc/actor.me', 'GET /below/trpc/actor.me']),
    )
  })

  it('at the same time share a request', async () => {
    const { ada, space_id } = await adasSpace(h)
    const relay = await relayTo(h.url)
    const client = brisk(relay.url, ada)
    const answers = await Promise.all([
      ...Array.from({ length: 150 }, (_, n) => client.event.speech.mutate({ space_id, text: `${n}` })),
      client.actor.me.query(),
      client.space.list.query(),
    ])
    expect(answers).toHaveLength(152)
    expect(relay.requests.map((request) => request.split(' ')[0]).sort()).toEqual(['GET', 'POST', 'POST'])
  })

  it('that are large are sent alone, so that no request becomes too large', async () => {
    const { space_id, client } = await adasSpace(h)
    const texts = Array.from({ length: 60 }, (_, n) => `${n} ${'漢'.repeat(99_000)}`)
    const events = await Promise.all(texts.map((text) => client.event.speech.mutate({ space_id, text })))
    expect(events.map(({ text }) => text)).toEqual(texts)
    const q = 'ü'.repeat(499)
    const found = await Promise.all(
      Array.from({ length: 100 }, (_, n) => client.search.events.query({ q: `${q}${n % 10}` })),
    )
    expect(found.flat()).toEqual([])
    await expect(client.search.events.query({ q: 'x'.repeat(5_000) })).rejects.toMatchObject({ status: 400 })
  })

  it('with wait do not delay other calls, and end with their signal', async () => {
    const { ada, space_id, say } = await adasSpace(h)
    const client = brisk(h.url, ada)
    const { event_id } = await say('1')
    const leaving = new AbortController()
    const inbox = client.inbox.get.query({ wait: 50 }, { signal: leaving.signal })
    const page = client.event.list.query({ space_id, since: event_id, wait: 50 })
    expect(await client.actor.me.query()).toMatchObject({ actor_id: ada.actor_id })
    await say('2')
    expect((await page).map(({ text }) => text)).toEqual(['2'])
    leaving.abort()
    await expect(inbox).rejects.toMatchObject({ status: null, detail: 'Aborted' })
  })

  it('use the given fetch', async () => {
    const urls: string[] = []
    const counting = (url: string, init: RequestInit) => {
      urls.push(url)
      return fetch(url, init)
    }
    const { ada, space_id, say } = await adasSpace(h)
    const client = clientWith({ url: h.url, token: ada.api_key, fetch: counting }, BRISK)
    await client.actor.me.query()
    await say('1')
    for await (const _ of client.stream(space_id)) break
    expect(urls).toHaveLength(2)
    for (const url of urls) expect(url).not.toContain(ada.api_key)
  })
})

describe('a page of another origin', () => {
  /** Headers that a browser sends without a preflight. */
  const SAFE = ['accept', 'connection', 'host', 'user-agent', 'accept-language', 'accept-encoding', 'content-length']
  const BY_BROWSER = ['sec-fetch-mode', 'sec-fetch-site', 'sec-fetch-dest', 'origin', 'referer']

  it('may send and read everything that the client needs', async () => {
    const { ada, space_id } = await adasSpace(h)
    const relay = await relayTo(h.url)
    const sent = new Set<string>()
    const methods = new Set<string>()
    relay.conduct = ({ headers, method }) => {
      for (const header of Object.keys(headers)) sent.add(header)
      methods.add(method as string)
      return 'pass'
    }
    const client = brisk(relay.url, ada)
    const event = await client.event.speech.mutate({ space_id, text: '1' })
    await client.actor.me.query()
    for await (const _ of client.stream(space_id)) break
    for await (const _ of client.event.stream.subscribe({ space_id, since: null })) break
    expect(event.text).toBe('1')
    expect([...methods].sort()).toEqual(['GET', 'POST'])
    expect(sent).toContain('authorization')

    const preflight = { headers: { Origin: 'https://page.example', 'Access-Control-Request-Method': 'POST' } }
    const allowed = (await h.send('OPTIONS', '/trpc/actor.me', undefined, preflight)).headers
    const allowedHeaders = allowed.get('access-control-allow-headers')?.toLowerCase().split(', ')
    for (const header of sent) {
      if (!SAFE.includes(header) && !BY_BROWSER.includes(header)) expect(allowedHeaders).toContain(header)
    }
    // Headers that tRPC's own links and clients over REST send besides.
    for (const header of ['trpc-accept', 'last-event-id', 'idempotency-key']) expect(allowedHeaders).toContain(header)
    expect(allowed.get('access-control-allow-methods')).toMatch(/GET.*POST/)

    const { headers } = await h.get('/api/actors/me')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-expose-headers')).toBe(
      'X-Request-Id, Retry-After, WWW-Authenticate, Content-Disposition, Content-Range, ETag',
    )
  })
})
