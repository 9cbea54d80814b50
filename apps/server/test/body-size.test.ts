import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { BODY_BYTES, LIMITS } from '@collab-spaces/domain'
import { type Actor, bearer, CAN_MEASURE_MEMORY, peakMemory, useProgram } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { answersIn, untilClosed, useRaw } from './support/raw.js'
import { ACCEPT, toolCall } from './support/tool-call.js'

const h = useProgram()
const raw = useRaw(h)

let ada: Actor
let space: string

beforeAll(async () => {
  ada = await h.registerHuman()
  space = await h.openSpace(ada)
})

const pads = (size: number) => JSON.stringify({ unknown_field: 'x'.repeat(size) })

describe('the body of a request', () => {
  it('may have all fields at their limits, in any encoding of JSON', async () => {
    const face = '\\ud83d\\ude00'
    const metadata = `{"a":"${'\\u0061'.repeat(LIMITS.freeJsonBytes - 8)}"}`
    const link = `"https://example.org/${'\\u0061'.repeat(LIMITS.uri - 20)}"`
    const uris = `[${Array(LIMITS.uris).fill(`"${face.repeat(LIMITS.uri)}"`)}]`
    const text = face.repeat(LIMITS.text)
    const client = h.as(ada)
    await client.post(`${space}/speech`, `{"text":"${text}","metadata":${metadata}}`).expect(200)
    await client.post(`${space}/response`, `{"text":"${text}","metadata":${metadata}}`).expect(200)
    await client.post(`${space}/decisions`, `{"proposed_by":"ada","text":"${text}"}`).expect(200)
    const event = `"speaker_id":"a","speaker_name":"A","text":"${text}","metadata":${metadata}`
    await client.post(`${space}/events`, `{${event},"references":${uris}}`).expect(200)
    await client.patch(space, `{"links":[${Array(LIMITS.uris).fill(link)}]}`).expect(200)
    await client.patch(`/api/actors/${ada.actor_id}`, `{"metadata":${metadata}}`).expect(200)
    await client.post(`${space}/links`, `{"target_uri":${link},"attributes":${metadata}}`).expect(200)
  })

  it('may have all fields of a registration at their limits, in their shortest encoding', async () => {
    const metadata = { a: 'x'.repeat(LIMITS.freeJsonBytes - 8) }
    const profile = '\u0001'.repeat(LIMITS.agentProfile)
    const body = { display_name: '\u{1f600}'.repeat(100), email: 'ada@example.org', agent_profile: profile, metadata }
    await h.post('/api/actors', body).expect(200)
  })

  it.each([
    ['/api/actors', 'stranger'],
    ['/api/tenants', 'usual'],
    ['/speech', 'text'],
    ['/events', 'most'],
  ] as const)('to POST %s is rejected with 413 beyond its limit', async (path, kind) => {
    const limit = BODY_BYTES[kind]
    const client = h.as(path === '/api/actors' ? undefined : ada)
    const to = path.startsWith('/api') ? path : `${space}${path}`
    await client.post(to, pads(limit)).expect(413, `The body is larger than ${limit} bytes`)
    await client.post(to, pads(limit - 50)).expect(400)
  })

  it('has the same limit in a typed registration, alone or in a batch of calls', async () => {
    for (const path of ['/trpc/actor.register', '/trpc/actor.register,space.create?batch=1']) {
      expect((await h.post(path, pads(BODY_BYTES.stranger))).text).toContain('"httpStatus":413')
    }
  })
})

describe('a body beyond its limit that is still being sent', () => {
  /** Sends like a client that reads nothing until everything is sent, and then closes. */
  const send = (headers: object) =>
    new Promise<number | string>((resolve) => {
      const { hostname, port } = new URL(h.url)
      const options = {
        hostname,
        port,
        method: 'POST',
        path: '/api/actors',
        headers: { Connection: 'close', ...headers },
      }
      const sent = request(options, (response) => {
        response.resume().once('close', () => resolve(response.statusCode ?? 0))
      })
      sent.once('error', ({ message }) => resolve(message))
      for (let written = 0; written < LENGTH; written += PIECE.length) sent.write(PIECE)
      sent.end()
    })
  const PIECE = Buffer.alloc(64 * 1024, 'x')
  const LENGTH = 4 * 1024 * 1024

  it.each([
    ['with Content-Length', { 'Content-Length': String(LENGTH) }],
    ['in chunks', {}],
  ])('is rejected with a 413 that the sender receives: %s', async (_title, headers) => {
    const answers: (number | string)[] = []
    for (let round = 0; round < 8; round++) {
      answers.push(...(await Promise.all(Array.from({ length: 5 }, () => send(headers)))))
    }
    expect(new Set(answers)).toEqual(new Set([413]))
  })

  it('is rejected with 413 even if the rest never arrives', async () => {
    const head = `POST /api/actors HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${LENGTH}\r\n\r\n`
    const socket = raw.open(head)
    const [answer] = answersIn(await untilClosed(socket))
    expect(answer?.status).toBe(413)
  })
})

it('a tool call may have a text at its limit, in any encoding of JSON, and no more', async () => {
  const { ada, space_id } = await h.adasSpace()
  const text = 'T'.repeat(LIMITS.text)
  const call = JSON.stringify(toolCall('say', { space_id, text }))
  const written = call.replace(text, '\\ud83d\\ude00'.repeat(LIMITS.text))
  const headers = { ...bearer(ada.api_key), ...ACCEPT, 'content-type': 'application/json' }
  const answer = await fetch(`${h.url}/mcp`, { method: 'POST', headers, body: written })
  expect(await answer.text()).toContain('Said, as event')
  const limit = BODY_BYTES.text
  await h.as(ada).post('/mcp', pads(limit), { headers: ACCEPT }).expect(413, `The body is larger than ${limit} bytes`)
})

describe.runIf(CAN_MEASURE_MEMORY)('unfinished bodies', () => {
  const LENGTH = 3 * 1024 * 1024
  const BODY = 'x'.repeat(LENGTH - 1)

  const head = (path: string, key?: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${LENGTH}\r\n` +
    `${key === undefined ? '' : `Authorization: Bearer ${key}\r\n`}\r\n`

  const sendMany = (begin: string) => Array.from({ length: 100 }, () => raw.open(begin + BODY))

  /** Waits for an event on each socket or its end: a sender that is still writing may not see its answer. */
  const each = (senders: Socket[], what: 'data' | 'drain') =>
    Promise.all(senders.map((socket) => new Promise((resolve) => socket.once(what, resolve).once('close', resolve))))

  const allSent = (senders: Socket[]) =>
    each(
      senders.filter((socket) => !socket.destroyed && socket.writableLength > 0),
      'drain',
    )

  it.each([
    ['of REST calls', () => `${space}/events`],
    ['of typed calls', () => '/trpc/event.appendBatch'],
  ])('%s get 503 when there are too many, while other requests are served', async (_title, path) => {
    const before = peakMemory(h.program)
    const senders = sendMany(head(path(), ada.api_key))
    const [answer] = answersIn(String(await Promise.race(senders.map((socket) => once(socket, 'data')))))
    expect(answer?.status).toBe(503)
    await allSent(senders)
    await h.as(ada).post(`${space}/speech`, { text: 'Hello' }).expect(200)
    expect(peakMemory(h.program) - before).toBeLessThan(200)
    for (const socket of senders) socket.destroy()
  })

  it('without a credential are not kept in memory, whatever the path', async () => {
    const before = peakMemory(h.program)
    const senders = [head('/trpc/event.appendBatch'), head('/trpc/nothing'), head('/api/spaces')].flatMap(sendMany)
    await each(senders, 'data')
    await allSent(senders)
    await h.as(ada).post(`${space}/speech`, { text: 'Hello' }).expect(200)
    expect(peakMemory(h.program) - before).toBeLessThan(200)
    for (const socket of senders) socket.destroy()
  })
})
