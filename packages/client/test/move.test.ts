import { eventually, useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { type ClientOptions, clientWith } from '../src/client.js'
import { Home } from '../src/home.js'
import { type Answer, createClient, SpacesError } from '../src/index.js'
import { BRISK } from './support/clients.js'
import { type Relay, relayTo, type Verdict } from './support/relay.js'
import { adasSpace, textsOf } from './support/space.js'

const h = useProgram()

/** The answer of an installation whose tenant has moved: REST has one error, tRPC one for each call of the request. */
function moved(location: string, url = ''): Verdict {
  const fields = { detail: 'This tenant has moved', error: 'moved', location }
  if (!url.startsWith('/trpc/')) return { status: 421, body: JSON.stringify(fields) }
  const error = { message: fields.detail, code: -32_600, data: { code: 'BAD_REQUEST', httpStatus: 421, ...fields } }
  const calls = url.slice('/trpc/'.length).split('?')[0]?.split(',') ?? []
  return { status: 421, body: JSON.stringify(url.includes('?batch=1') ? calls.map(() => ({ error })) : { error }) }
}

/** Lets an installation answer that the tenant has moved. */
function leave(relay: Relay, location: string): void {
  relay.conduct = ({ url }) => moved(location, url)
  relay.cut()
}

/** Returns requests without their repeats: `fetch` itself repeats a request after 421, as its standard says. */
const once = ({ requests }: Relay) => requests.filter((request, index) => request !== requests[index - 1])

/** Creates two addresses of one server, which a client takes for two installations. */
async function twoCells(options: Partial<ClientOptions> = {}) {
  const space = await adasSpace(h)
  const [a, b] = [await relayTo(h.url), await relayTo(h.url)]
  const locations: string[] = []
  const onMoved = (location: string) => void locations.push(location)
  const client = clientWith({ url: a.url, token: space.ada.api_key, mayMoveTo: [b.url], onMoved, ...options }, BRISK)
  return { ...space, a, b, locations, client }
}

describe('a tenant that has moved', () => {
  it('is found by calls, REST and streams, and later requests go to its new address at once', async () => {
    const { space_id, a, b, locations, client, say } = await twoCells()
    await say('1')
    leave(a, b.url)
    const both = [client.actor.me.query(), client.space.status.query({ space_id })]
    expect(await Promise.all(both)).toMatchObject([{ display_name: 'Ada' }, { space_id }])
    expect([once(a).length, b.requests.length, locations]).toEqual([1, 1, [b.url]])
    await client.space.create.mutate({ space_id: `${space_id}-2` })
    await client.rest('space.status', { space_id })
    for await (const { text } of client.stream(space_id)) {
      expect(text).toBe('1')
      break
    }
    expect([once(a).length, b.requests.length, locations]).toEqual([1, 4, [b.url]])
  })

  it.each<[string, (client: ReturnType<typeof createClient>, space: string) => Promise<unknown>]>([
    ['a query', (client) => client.actor.me.query()],
    ['a write that is sent once', (client, space) => client.space.create.mutate({ space_id: `${space}-2` })],
    ['a large write', (client, space) => client.event.speech.mutate({ space_id: space, text: 'x'.repeat(20_000) })],
    ['rest', (client, space_id) => client.rest('space.status', { space_id })],
    ['get', (client) => client.get('/api/actors/me')],
    ['a stream', (client, space) => client.stream(space)[Symbol.asyncIterator]().next()],
  ])('is found by %s, with the same credential and body', async (_, call) => {
    const { space_id, a, b, locations, client, say } = await twoCells()
    await say('1')
    leave(a, b.url)
    await call(client, space_id)
    expect(b.requests).toEqual(once(a))
    expect(locations).toEqual([b.url])
  })

  it('misses and repeats no event in streams that were open during the move', async () => {
    const { ada, space_id, a, b, client, say } = await twoCells()
    const reader = clientWith({ url: a.url, token: ada.api_key, mayMoveTo: [b.url] }, BRISK)
    const [stop, heard] = [new AbortController(), [] as string[]]
    const stream = client.stream(space_id, { signal: stop.signal })
    const texts: string[] = []
    const reading = (async () => {
      for await (const { text } of stream) texts.push(text)
    })()
    reader.event.stream.subscribe({ space_id }, { signal: stop.signal, onData: ({ data }) => heard.push(data.text) })
    for (let n = 0; n < 5; n++) await say(`before ${n}`)
    await eventually(() => texts.length === 5 && heard.length === 5)
    leave(a, b.url)
    for (let n = 0; n < 5; n++) await say(`after ${n}`)
    await eventually(() => texts.length === 10 && heard.length === 10)
    stop.abort()
    await reading
    const stored = await textsOf(h, ada, space_id)
    expect(texts).toEqual(stored)
    expect(heard).toEqual(stored)
    expect(stream.endedBy).toBe('aborted')
  })

  it('stores a write once whose answer was lost before the move', async () => {
    const { ada, space_id, a, b, client } = await twoCells()
    a.conduct = () => {
      a.conduct = ({ url }) => moved(b.url, url)
      return 'lose'
    }
    await client.event.speech.mutate({ space_id, text: 'once' })
    expect(await textsOf(h, ada, space_id)).toEqual(['once'])
    expect([once(a).length, b.requests.length]).toEqual([1, 1])
  })

  it('is found by the one call of several that was refused with 421', async () => {
    const { space_id, a, b, client } = await twoCells()
    a.conduct = ({ url }) => {
      const { body = '' } = moved(b.url, url) as { body: string }
      a.conduct = ({ url }) => moved(b.url, url)
      return { status: 207, body: JSON.stringify([{ result: { data: 'me' } }, JSON.parse(body)[1]]) }
    }
    const both = [client.actor.me.query(), client.space.status.query({ space_id })]
    expect(await Promise.all(both)).toMatchObject(['me', { space_id }])
    expect(b.requests).toEqual([expect.stringMatching(/^GET \/trpc\/space\.status\?/)])
  })

  it('may move again, and back', async () => {
    const { a, b, locations, client } = await twoCells()
    leave(a, b.url)
    await client.actor.me.query()
    leave(b, a.url)
    a.conduct = () => 'pass'
    await client.actor.me.query()
    expect(locations).toEqual([b.url, a.url])
  })

  it('is reported to onMoved once it has answered at its new address', async () => {
    const { a, b, locations, client } = await twoCells()
    leave(a, b.url)
    b.conduct = () => ({ status: 401, body: '{"detail":"Who?"}' })
    await expect(client.actor.me.query()).rejects.toMatchObject({ detail: 'Who?' })
    expect(locations).toEqual([])
    b.conduct = () => 'pass'
    await client.actor.me.query()
    expect(locations).toEqual([b.url])
  })
})

describe('a move that is not followed', () => {
  it.each<[string, string[]]>([
    ['nothing is allowed', []],
    ['other addresses are allowed', ['http://127.0.0.1', 'https://127.0.0.1:1', 'http://*.example.org']],
  ])('reports the new address and sends no credential there when %s', async (_, mayMoveTo) => {
    const { space_id, a, b, locations, client } = await twoCells({ mayMoveTo })
    leave(a, b.url)
    const wanted = {
      name: 'SpacesError',
      status: 421,
      mayPass: false,
      detail: `The tenant has moved to ${b.url}, which mayMoveTo does not allow`,
      fields: { error: 'moved', location: b.url },
    }
    await expect(client.actor.me.query()).rejects.toMatchObject({ ...wanted, operation: 'actor.me' })
    await expect(client.get('/health')).rejects.toMatchObject(wanted)
    await expect(client.stream(space_id)[Symbol.asyncIterator]().next()).rejects.toMatchObject(wanted)
    expect([once(a).length, b.requests.length, locations]).toEqual([3, 0, []])
  })

  it('ends an open stream with the same error', async () => {
    const { space_id, a, b, client, say } = await twoCells({ mayMoveTo: [] })
    await say('1')
    const texts: string[] = []
    const reading = (async () => {
      for await (const { text } of client.stream(space_id)) {
        texts.push(text)
        leave(a, b.url)
      }
    })()
    await expect(reading).rejects.toMatchObject({ status: 421, fields: { location: b.url } })
    expect(texts).toEqual(['1'])
  })

  it('fails when two installations refer to each other', async () => {
    const { space_id, a, b, client } = await twoCells()
    leave(a, b.url)
    leave(b, a.url)
    const wanted = {
      status: 421,
      detail: `Each server says that the tenant is at the next: ${b.url}, ${a.url}, ${b.url}, ${a.url}, ${b.url}. Ask their operators`,
    }
    await expect(client.actor.me.query()).rejects.toMatchObject(wanted)
    expect([a.requests.length, b.requests.length]).toEqual([6, 4])
    await expect(client.stream(space_id)[Symbol.asyncIterator]().next()).rejects.toMatchObject({ status: 421 })
  })

  it.each(['', 'nonsense', 'ftp://b.example.org', 'https://ada:secret@b.example.org'])(
    'fails without a valid address: %j',
    async (location) => {
      const { a, client } = await twoCells()
      leave(a, location)
      await expect(client.actor.me.query()).rejects.toMatchObject({
        status: 421,
        detail: 'The tenant has moved, but the server gives no address. Ask its operator',
      })
    },
  )

  it('includes a 421 that a proxy answers', async () => {
    const { a, b, client } = await twoCells()
    a.conduct = () => ({ status: 421, body: `{"detail":"Wrong host","location":"${b.url}"}` })
    await expect(client.get('/health')).rejects.toMatchObject({ status: 421, detail: 'Wrong host' })
    expect(b.requests).toEqual([])
  })
})

describe('mayMoveTo', () => {
  /** Returns the URLs that a client requests after it is told of a move. */
  async function goes(from: string, location: string, mayMoveTo: string[]): Promise<string[]> {
    const urls: string[] = []
    const fetch = async (url: string): Promise<Answer> => {
      urls.push(url)
      if (urls.length > 1) return Response.json('here')
      return Response.json({ detail: 'Moved', error: 'moved', location }, { status: 421 })
    }
    const client = createClient({ url: from, token: 'svc_x', mayMoveTo, fetch })
    await client.get('/health').catch((error) => urls.push(error.status))
    return urls.slice(1)
  }

  it.each<[string, string]>([
    ['https://b.example.org', 'https://b.example.org'],
    ['https://b.example.org', 'https://b.example.org/'],
    ['https://b.example.org', 'HTTPS://B.example.org:443'],
    ['https://b.example.org/spaces', 'https://b.example.org'],
    ['https://b.example.org:8443', 'https://b.example.org:8443'],
    ['https://b.spaces.example.org', 'https://*.spaces.example.org'],
    ['https://b.localhost:8443', 'https://*.localhost:8443'],
    ['https://a.example.org/other', 'https://unrelated.example.org'],
  ])('allows %s by %s', async (location, allowed) => {
    expect(await goes('https://a.example.org', location, [allowed])).toEqual([`${location}/health`])
  })

  it.each<[string, string]>([
    ['https://c.example.org', 'https://b.example.org'],
    ['https://b.example.org:8443', 'https://b.example.org'],
    ['https://b.example.org.evil.org', 'https://b.example.org'],
    ['https://spaces.example.org', 'https://*.spaces.example.org'],
    ['https://x.b.spaces.example.org', 'https://*.spaces.example.org'],
    ['https://evil-spaces.example.org', 'https://*.spaces.example.org'],
    ['https://b.spaces.example.org.evil.org', 'https://*.spaces.example.org'],
    ['https://evil.org/b.spaces.example.org', 'https://*.spaces.example.org'],
    ['http://b.example.org', 'http://b.example.org'],
    ['http://a.example.org', 'https://a.example.org'],
  ])('does not allow a move from https to %s by %s', async (location, allowed) => {
    expect(await goes('https://a.example.org', location, [allowed])).toEqual([421])
  })

  it('allows a move from http to https', async () => {
    const location = 'https://b.example.org'
    expect(await goes('http://a.example.org', location, [location])).toEqual([`${location}/health`])
  })

  it.each(['b.example.org', 'https://', 'https://*', 'https://*.', 'https://a.*.org', 'https://b.org/path', '*', ''])(
    'rejects %j, which is not an origin',
    (given) => {
      expect(() => createClient({ url: 'https://a.example.org', mayMoveTo: [given] })).toThrow(
        new TypeError('mayMoveTo: must be origins, such as https://b.example.org or https://*.example.org'),
      )
    },
  )
})

it('a move is followed by programs that call REST themselves', async () => {
  const { ada, a, b } = await twoCells()
  leave(a, b.url)
  const locations: string[] = []
  const home = new Home({ url: a.url, mayMoveTo: [b.url], onMoved: (location) => locations.push(location), fetch })
  const me = await home.reach(async () => {
    const response = await home.fetch(`${a.url}/api/actors/me`, { headers: { authorization: `Bearer ${ada.api_key}` } })
    if (!response.ok) throw SpacesError.refused(response, await response.text())
    return response.json()
  })
  expect(me).toMatchObject({ actor_id: ada.actor_id })
  expect([home.url, locations]).toEqual([b.url, [b.url]])
})
