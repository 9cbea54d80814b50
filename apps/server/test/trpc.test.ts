import { LIMITS } from '@collab-spaces/domain'
import { type Actor, eventually } from '@collab-spaces/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { fillSpace } from './support/history.js'
import { startServer, useServer } from './support/server.js'
import { type PlainClient, plainClient } from './support/trpc.js'

const h = useServer()

/** The error that a refused call throws. */
interface CallError {
  readonly message: string
  readonly data: { readonly code: string; readonly httpStatus: number; readonly detail: string; readonly path: string }
}

const typed = (actor?: Actor) => plainClient(h.url, actor?.api_key)

async function expectRefusal(call: Promise<unknown>, httpStatus: number, detail: string): Promise<CallError['data']> {
  const refused = (await call.then(
    () => {
      throw new Error('It was not refused')
    },
    (error: unknown) => error,
  )) as CallError
  expect(refused.message).toBe(detail)
  expect(refused.data).toMatchObject({ httpStatus, detail })
  return refused.data
}

/** Creates a human with a space, and a tRPC client. */
async function adasSpace() {
  const { ada, path, space_id } = await h.adasSpace()
  return { ada, path, space_id, client: typed(ada) }
}

describe('calls', () => {
  it('return the same as REST', async () => {
    const { ada, path, space_id, client } = await adasSpace()
    expect(await client.actor.me.query()).toEqual(await h.as(ada).get('/api/actors/me').expect(200))
    const event = await client.event.speech.mutate({ space_id, text: 'hello', metadata: { mentions: [ada.actor_id] } })
    expect(event).toEqual(await h.as(ada).get(`${path}/events/${event.event_id}`).expect(200))
    expect(await client.event.list.query({ space_id, limit: 5 })).toEqual([event])
    expect(await client.event.mentions.query({ space_id, participant_id: ada.actor_id })).toEqual([event])
    expect(await client.space.status.query({ space_id })).toEqual(await h.as(ada).get(`${path}/status`).expect(200))
    const paused = await client.space.change.mutate({ space_id, status: 'paused' })
    expect(paused.status).toBe('paused')
  })

  it('register an actor without a credential', async () => {
    const actor = await typed().actor.register.mutate({ display_name: 'Grace', email: 'grace@example.org' })
    const client = typed(actor)
    expect((await client.actor.me.query()).actor_id).toBe(actor.actor_id)
  })

  it('return 413 with the REST path when the answer is too large', async () => {
    const { ada, path, space_id, client } = await adasSpace()
    // Texts of 1 MiB, written past the API, which accepts a tenth of that.
    await fillSpace(h.connection, path, ada, { count: 8, text: () => 'x'.repeat(2 ** 20) })
    const refused = 'The answer is too large for a typed call; read it over REST: GET /api/spaces/{space_id}/transcript'
    await expectRefusal(client.event.transcript.query({ space_id }), 413, refused)
    expect(await client.event.transcript.query({ space_id, end: '2020-01-01' })).toEqual([])
  })

  it('of one request share one limit on the size of the answer', async () => {
    const { ada, path, space_id, client } = await adasSpace()
    await fillSpace(h.connection, path, ada, { count: 1, text: () => 'x'.repeat(2 ** 20) })
    const transcripts = await Promise.allSettled(
      Array.from({ length: 10 }, () => client.event.transcript.query({ space_id })),
    )
    const refused = transcripts.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(5)
    expect(refused.length).toBeLessThan(10)
  })

  it('at the same time share a request, and each has its own outcome', async () => {
    const { space_id, client } = await adasSpace()
    const [me, list, unknown] = await Promise.allSettled([
      client.actor.me.query(),
      client.space.list.query({}),
      client.space.status.query({ space_id: 'nowhere' }),
    ])
    expect(me.status).toBe('fulfilled')
    expect(list.status === 'fulfilled' && list.value.map((space) => space.space_id)).toContain(space_id)
    expect(unknown).toMatchObject({
      status: 'rejected',
      reason: { data: { httpStatus: 404, detail: 'Space not found' } },
    })
  })

  it('have the same outcomes in a streamed batch, whose head precedes them', async () => {
    const { ada, path, space_id } = await adasSpace()
    const calls = ['a', 'b', 'c', 'd', 'e']
    const body = Object.fromEntries(calls.map((text, at) => [at, { space_id, text }]))
    const names = calls.map(() => 'event.speech').join(',')
    const headers = { 'trpc-accept': 'application/jsonl' }
    const streamed = await h.as(ada).post(`/trpc/${names}?batch=1`, body, { headers })
    expect(streamed.text).not.toContain('"error"')
    expect(await h.as(ada).get(`${path}/events`).expect(200)).toHaveLength(5)
    const input = encodeURIComponent(JSON.stringify({ 0: { space_id, end: '2020-01-01' } }))
    const transcript = await h.as(ada).get(`/trpc/event.transcript?batch=1&input=${input}`, { headers })
    expect(transcript.text).not.toContain('"error"')
  })

  it('return a transcript as an array', async () => {
    const { ada, path, space_id, client } = await adasSpace()
    await fillSpace(h.connection, path, ada, { count: 350, text: String })
    const transcript = await client.event.transcript.query({ space_id })
    expect(transcript).toHaveLength(350)
    expect(transcript).toEqual(await h.as(ada).get(`${path}/transcript`).expect(200))
  })

  it('append a batch, or return which of its events is refused', async () => {
    const { ada, path, space_id, client } = await adasSpace()
    const events = ['a', 'b'].map((text) => ({ text, speaker_id: 's', speaker_name: 'S', idempotency_key: text }))
    const written = await client.event.appendBatch.mutate({ space_id, events })
    expect(written).toEqual(await h.as(ada).get(`${path}/events`).expect(200))
    expect(await client.event.appendBatch.mutate({ space_id, events })).toEqual(written)
    const lost = { text: 'c', speaker_id: 's', speaker_name: 'S', thread_id: 'nowhere' }
    const refused = client.event.appendBatch.mutate({ space_id, events: [...events, lost] })
    await expectRefusal(refused, 404, 'events.2: Thread not found')
  })

  it('are safe to repeat with an idempotency key', async () => {
    const { space_id, client } = await adasSpace()
    const write = { space_id, text: 'once', idempotency_key: 'k' }
    const [first, second] = [await client.event.speech.mutate(write), await client.event.speech.mutate(write)]
    expect(second).toEqual(first)
    const reused = client.event.speech.mutate({ ...write, text: 'other' })
    await expectRefusal(reused, 409, 'Idempotency-Key was already used with a different request')
  })
})

describe('refusals', () => {
  it('carry the detail and the status of REST', async () => {
    const { ada, space_id, client } = await adasSpace()
    const agent = await h.registerAgent(ada)
    await expectRefusal(typed().actor.me.query(), 401, 'Authentication required')
    await expectRefusal(typed(agent).actor.myAgents.query(), 403, 'Only a human actor may do this')
    await expectRefusal(client.space.status.query({ space_id: 'nowhere' }), 404, 'Space not found')
    await expectRefusal(client.event.speech.mutate({ space_id, text: '' }), 400, 'text: must not be empty')
    await client.space.archive.mutate({ space_id })
    await expectRefusal(client.event.speech.mutate({ space_id, text: 'late' }), 409, 'Space is not active')
    expect(await expectRefusal(client.space.archive.mutate({ space_id }), 409, 'Space is archived')).toEqual({
      code: 'CONFLICT',
      httpStatus: 409,
      path: 'space.archive',
      detail: 'Space is archived',
    })
  })

  it('carry the fields that the error defines', async () => {
    const ada = await h.registerHuman()
    const agent = await h.registerAgent(ada)
    const { actor } = typed(agent)
    await actor.connect.mutate({ actor_id: agent.actor_id, installation_id: 'here' })
    const elsewhere = actor.connect.mutate({ actor_id: agent.actor_id, installation_id: 'there' })
    await expect(elsewhere).rejects.toMatchObject({
      data: { httpStatus: 409, error: 'agent_connected', agent_id: agent.actor_id },
    })
  })
})

describe('requests that are not tRPC', () => {
  const json = { 'content-type': 'application/json' }
  const many = Array(200).fill('actor.me').join(',')
  it.each<[string, string, (string | undefined)?, Record<string, string>?]>([
    ['GET', 'nope'],
    ['GET', ''],
    ['GET', 'space.create'],
    ['PUT', 'space.create', '{}'],
    ['POST', 'space.list', '{}'],
    ['GET', 'space.status?input={bad'],
    ['GET', 'space.status?input=%E0%A4%A'],
    ['GET', 'space.status?input=null'],
    ['GET', 'space.status?input=%7B%22space_id%22%3A%22%5Cud800%22%7D'],
    ['GET', '%E0%A4%A'],
    ['GET', '__proto__'],
    ['GET', 'space.__proto__'],
    ['POST', 'space.create', '{bad'],
    ['POST', 'space.create', '[]'],
    ['POST', 'space.create', '"text"'],
    ['POST', 'space.create', '{}', { 'content-type': 'text/plain' }],
    ['POST', 'space.create', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['POST', 'space.create', `{"space_id":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
    ['POST', 'space.create', '{"space_id":"x","description":"\\u0000"}'],
    ['POST', 'space.create?batch=1', '[]'],
    ['GET', 'space.list?batch=1&input=[]'],
    ['GET', `${many},nope?batch=1&input={}`],
    ['GET', 'event.stream?batch=1&input={}'],
    ['GET', 'space.list?input={}', undefined, { accept: 'application/jsonl' }],
    ['GET', 'space.list?connectionParams={bad'],
    ['GET', 'space.list?connectionParams={%22token%22:7}'],
  ])('get an error without internal details: %s %s', async (method, path, body, headers = json) => {
    const { ada } = await adasSpace()
    const answer = await h.as(ada).send(method, `/trpc/${path}`, body, { headers })
    expect(answer.status === 207 || (answer.status >= 400 && answer.status < 500)).toBe(true)
    const outcomes = [answer.body].flat() as { error?: CallError }[]
    const errors = outcomes.flatMap(({ error }) => (error ? [error] : []))
    expect(errors.length).toBeGreaterThan(0)
    for (const { data, message } of errors) {
      if (answer.status !== 207) expect(data.httpStatus).toBe(answer.status)
      expect(data.httpStatus).toBeLessThan(500)
      expect(data.detail).toBe(message)
      expect(Object.keys(data).every((key) => ['code', 'httpStatus', 'path', 'detail'].includes(key))).toBe(true)
    }
    for (const secret of ['stack', 'node_modules', '.js:', ada.api_key]) expect(answer.text).not.toContain(secret)
  })

  it('are refused above the size limit of a body', async () => {
    const { ada } = await adasSpace()
    const body = JSON.stringify({ space_id: 'x', description: 'x'.repeat(LIMITS.bodyBytes) })
    const answer = await h.as(ada).post('/trpc/space.create', body)
    expect(answer.status).toBe(413)
    expect(answer.body.error.data.httpStatus).toBe(413)
  })

  it('get 401 before any validation without a credential', async () => {
    const answer = await h.post('/trpc/space.create', { space_id: 7 })
    expect(answer.status).toBe(401)
    expect(answer.body.error.data.detail).toBe('Authentication required')
  })
})

describe('subscriptions', () => {
  const open: { unsubscribe(): void }[] = []
  afterEach(() => {
    for (const { unsubscribe } of open.splice(0)) unsubscribe()
  })

  /** Subscribes to a stream with a tRPC client, and records what it receives. */
  function listen(client: PlainClient, input: { space_id: string; since?: string; lastEventId?: string }) {
    const heard = { texts: [] as string[], ids: [] as string[], states: [] as string[], error: undefined as unknown }
    const subscription = client.event.stream.subscribe(input, {
      onData: ({ id, data }) => {
        expect(id).toBe(data.event_id)
        heard.ids.push(id)
        heard.texts.push(data.text)
      },
      onConnectionStateChange: ({ state }) => heard.states.push(state),
      onError: (error) => {
        heard.error = error
      },
      onComplete: () => heard.states.push('complete'),
    })
    open.push(subscription)
    return Object.assign(heard, { leave: () => subscription.unsubscribe() })
  }

  it('replay the history, continue live, and resume after an id', async () => {
    const { space_id, client } = await adasSpace()
    const say = (text: string) => client.event.speech.mutate({ space_id, text })
    await say('1')
    const second = await say('2')
    const all = listen(client, { space_id })
    await eventually(() => all.texts.length === 2)
    await say('3')
    await eventually(() => all.texts.length === 3)
    expect(all.texts).toEqual(['1', '2', '3'])
    all.leave()
    const since = listen(client, { space_id, since: second.event_id })
    const last = listen(client, { space_id, since: second.event_id, lastEventId: all.ids.at(-1) as string })
    await say('4')
    await eventually(() => since.texts.length === 2 && last.texts.length === 1)
    expect(since.texts).toEqual(['3', '4'])
    expect(last.texts).toEqual(['4'])
    expect(all.texts).toEqual(['1', '2', '3'])
  })

  it('are refused with the reason', async () => {
    const { space_id, client } = await adasSpace()
    const stranger = listen(typed(), { space_id })
    const lost = listen(client, { space_id: 'nowhere' })
    await eventually(() => stranger.error && lost.error)
    expect(stranger.error).toMatchObject({ data: { httpStatus: 401, detail: 'Authentication required' } })
    expect(lost.error).toMatchObject({ data: { httpStatus: 404, detail: 'Space not found' } })
  })

  it('end with an error when the credential ends', async () => {
    const { ada, space_id, client } = await adasSpace()
    const heard = listen(client, { space_id })
    await eventually(() => heard.states.includes('pending'))
    await client.actor.rotateKey.mutate({ actor_id: ada.actor_id })
    await eventually(() => heard.error)
    expect(heard.error).toMatchObject({ data: { httpStatus: 401 } })
    expect(heard.states).not.toContain('complete')
  })

  it('end with 404 when the actor moves to another tenant', async () => {
    const { space_id, client } = await adasSpace()
    const heard = listen(client, { space_id })
    await eventually(() => heard.states.includes('pending'))
    await client.tenant.create.mutate({ name: 'Elsewhere' })
    await eventually(() => heard.error)
    expect(heard.error).toMatchObject({ data: { httpStatus: 404, detail: 'Space not found' } })
  })

  it('have the same format as those of tRPC itself', async () => {
    const { ada, path, space_id, client } = await adasSpace()
    const event = await client.event.speech.mutate({ space_id, text: 'hello' })
    const { text } = await h.as(ada).get(`${path}/events/${event.event_id}`)
    const query = `input=${encodeURIComponent(JSON.stringify({ space_id }))}`
    const params = encodeURIComponent(JSON.stringify({ token: ada.api_key }))
    const answer = await fetch(`${h.url}/trpc/event.stream?${query}&connectionParams=${params}`)
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    const expected = `event: connected\ndata: {}\n\ndata: ${text}\nid: ${event.event_id}\n\n`
    let heard = ''
    while (heard.length < expected.length) heard += new TextDecoder().decode((await reader.read()).value)
    expect(heard).toBe(expected)
    await reader.cancel()
  })

  it.each([
    ['input={bad', 401],
    ['input={bad&token=KEY', 400],
    ['input=[]&token=KEY', 400],
    ['token=KEY', 400],
    ['input={"space_id":"nowhere"}&token=KEY', 404],
    ['input={"space_id":"nowhere"}&connectionParams={bad', 400],
  ])('report errors as an event of the stream: %s', async (query, httpStatus) => {
    const { ada } = await adasSpace()
    const answer = await fetch(`${h.url}/trpc/event.stream?${query.replace('KEY', ada.api_key)}`)
    expect(answer.status).toBe(200)
    const text = await answer.text()
    const [, data = ''] = /^event: connected\ndata: {}\n\nevent: serialized-error\ndata: (.*)\n\n$/.exec(text) ?? []
    expect(JSON.parse(data)).toMatchObject({ data: { httpStatus, path: 'event.stream' } })
  })

  it('resume after a restart of the server without a gap or a repeat', async () => {
    const { ada, space_id, client } = await adasSpace()
    const first = await startServer(h.connection)
    const { port } = new URL(first.url)
    const heard = listen(plainClient(first.url, ada.api_key), { space_id })
    await client.event.speech.mutate({ space_id, text: 'before' })
    await eventually(() => heard.texts.length === 1)
    await first.stop()
    await client.event.speech.mutate({ space_id, text: 'meanwhile' })
    const second = await startServer(h.connection, { PORT: port })
    try {
      await client.event.speech.mutate({ space_id, text: 'after' })
      await eventually(() => heard.texts.length === 3)
      expect(heard.texts).toEqual(['before', 'meanwhile', 'after'])
      expect(heard.error).toBeUndefined()
      expect(heard.states).not.toContain('complete')
    } finally {
      heard.leave()
      await second.stop()
    }
  })
})
