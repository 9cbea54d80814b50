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

describe('a body', () => {
  it('holds all fields at their limits, however they are written', async () => {
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

  it('of a registration holds all its fields in their shortest form', async () => {
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
  ] as const)('of POST %s is refused beyond its limit', async (path, kind) => {
    const limit = BODY_BYTES[kind]
    const client = h.as(path === '/api/actors' ? undefined : ada)
    const to = path.startsWith('/api') ? path : `${space}${path}`
    await client.post(to, pads(limit)).expect(413, `The body is larger than ${limit} bytes`)
    await client.post(to, pads(limit - 50)).expect(400)
  })

  it('of a typed registration has the same limit, alone or with other calls', async () => {
    for (const path of ['/trpc/actor.register', '/trpc/actor.register,space.create?batch=1']) {
      expect((await h.post(path, pads(BODY_BYTES.stranger))).text).toContain('"httpStatus":413')
    }
  })
})

describe('a body beyond its limit that is still being sent', () => {
  /** Sends as a client that reads nothing before it has sent everything, and closes then. */
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
    ['with its length', { 'Content-Length': String(LENGTH) }],
    ['in chunks', {}],
  ])('is refused so that its sender sees why: %s', async (_title, headers) => {
    const answers: (number | string)[] = []
    for (let round = 0; round < 8; round++) {
      answers.push(...(await Promise.all(Array.from({ length: 5 }, () => send(headers)))))
    }
    expect(new Set(answers)).toEqual(new Set([413]))
  })

  it('is refused also if the rest of it never comes', async () => {
    const head = `POST /api/actors HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${LENGTH}\r\n\r\n`
    const socket = raw.open(head)
    const [answer] = answersIn(await untilClosed(socket))
    expect(answer?.status).toBe(413)
  })
})

it('the call of a tool holds a text at its limit, however it is written, and no more', async () => {
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

describe.runIf(CAN_MEASURE_MEMORY)('bodies that never end', () => {
  const LENGTH = 3 * 1024 * 1024
  const BODY = 'x'.repeat(LENGTH - 1)

  const head = (path: string, key?: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${LENGTH}\r\n` +
    `${key === undefined ? '' : `Authorization: Bearer ${key}\r\n`}\r\n`

  const sendMany = (begin: string) => Array.from({ length: 100 }, () => raw.open(begin + BODY))

  /** Waits for something on each, or until it is closed: a sender still writing then may not even see its answer. */
  const each = (senders: Socket[], what: 'data' | 'drain') =>
    Promise.all(senders.map((socket) => new Promise((resolve) => socket.once(what, resolve).once('close', resolve))))

  const allSent = (senders: Socket[]) =>
    each(
      senders.filter((socket) => !socket.destroyed && socket.writableLength > 0),
      'drain',
    )

  it.each([
    ['', () => `${space}/events`],
    [' of typed calls', () => '/trpc/event.appendBatch'],
  ])('%s are given up when there are too many, and all others are read', async (_title, path) => {
    const before = peakMemory(h.program)
    const senders = sendMany(head(path(), ada.api_key))
    const [answer] = answersIn(String(await Promise.race(senders.map((socket) => once(socket, 'data')))))
    expect(answer?.status).toBe(503)
    await allSent(senders)
    await h.as(ada).post(`${space}/speech`, { text: 'Hello' }).expect(200)
    expect(peakMemory(h.program) - before).toBeLessThan(200)
    for (const socket of senders) socket.destroy()
  })

  it('of strangers are not kept, whatever they call', async () => {
    const before = peakMemory(h.program)
    const senders = [head('/trpc/event.appendBatch'), head('/trpc/nothing'), head('/api/spaces')].flatMap(sendMany)
    await each(senders, 'data')
    await allSent(senders)
    await h.as(ada).post(`${space}/speech`, { text: 'Hello' }).expect(200)
    expect(peakMemory(h.program) - before).toBeLessThan(200)
    for (const socket of senders) socket.destroy()
  })
})
