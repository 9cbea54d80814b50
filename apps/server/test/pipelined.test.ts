import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type Actor, CAN_MEASURE_MEMORY, eventually, peakMemory, useProgram } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { answersIn, untilClosed, useRaw } from './support/raw.js'
import { startStack } from './support/stack.js'

const h = useProgram()
const client = useRaw(h)

let ada: Actor
let space: string

beforeAll(async () => {
  ada = await h.registerHuman()
  space = await h.openSpace(ada)
})

const COUNT = 1_200

/** Returns requests for one connection, each with its index as its id. The last one closes the connection. */
function inARow(requests: readonly string[]): string {
  return requests
    .map((request, index) => {
      const last = index === requests.length - 1 ? 'Connection: close\r\n' : ''
      const [head, body = ''] = request.split('\n')
      const length = body && `Content-Length: ${body.length}\r\n`
      return `${head} HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${index}\r\n${last}${length}${asAda()}\r\n${body}`
    })
    .join('')
}

const asAda = () => `Authorization: Bearer ${ada.api_key}\r\n`

const repeat = (request: string) => Array.from({ length: COUNT }, () => request)

/** Returns a function that returns the text received so far. */
function text(socket: Socket): () => string {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.resume()
  return () => text
}

/** Parses answers, and checks their order. */
function inOrder(text: string) {
  const answers = answersIn(text)
  expect(answers.map(({ headers }) => headers['x-request-id'])).toEqual(answers.map((_, index) => String(index)))
  return answers
}

describe('pipelined requests', () => {
  it('are all answered, in their order', async () => {
    const kinds = ['GET /health', 'GET /nothing', `GET ${space}/status`, 'POST /api/spaces\n{}', 'GET /docs']
    const requests = Array.from({ length: COUNT }, (_, index) => kinds[index % kinds.length] as string)
    const answers = inOrder(await client.exchange(inARow(requests)))
    expect(answers.map(({ status }) => status)).toEqual(
      requests.map((_, index) => [200, 404, 200, 400, 200][index % kinds.length]),
    )
  })

  it('run one at a time, so that each sees the effects of those before it', async () => {
    const path = await h.openSpace(ada)
    const writes = Array.from({ length: 50 }, (_, n) => `POST ${path}/speech\n{"text":"${n}"}`)
    const answers = inOrder(await client.exchange(inARow([...writes, `GET ${path}/status`])))
    expect(JSON.parse(answers.at(-1)?.text as string)).toMatchObject({ event_count: 50 })
    const events: { text: string }[] = await h.as(ada).get(`${path}/events`).expect(200)
    expect(events.map(({ text }) => text)).toEqual(writes.map((_, n) => String(n)))
  })

  it('are answered if their bodies are larger than the read buffer', async () => {
    const path = await h.openSpace(ada)
    const text = 'x'.repeat(90_000)
    const writes = Array.from({ length: 40 }, () => `POST ${path}/speech\n${JSON.stringify({ text })}`)
    const answers = inOrder(await client.exchange(inARow(writes)))
    expect(answers.map(({ status }) => status)).toEqual(writes.map(() => 200))
  })

  it('are dropped with their connection', async () => {
    const socket = client.open(inARow(repeat('GET /health')))
    await once(socket, 'data')
    socket.destroy()
    await h.get('/health').expect(200)
  })

  it('are not read after a request for a stream, which never ends', async () => {
    const stack = await startStack(h.connection)
    const { socket, server } = await stack.ask(`${space}/events/stream`, ada.api_key)
    socket.write(inARow(repeat('GET /health').concat(repeat('GET /health'))))
    await eventually(() => server.isPaused())
    expect(server.bytesRead).toBeLessThan(socket.bytesWritten)
    const reader = text(socket)
    await h.as(ada).post(`${space}/speech`, { text: 'Hello' }).expect(200)
    await eventually(() => reader().includes('"Hello"'))
  })
})

describe.runIf(CAN_MEASURE_MEMORY)('answers that the client does not read', () => {
  beforeAll(async () => {
    const text = 'x'.repeat(3_000)
    const events = Array.from({ length: 36 }, () => ({ speaker_id: 'a', speaker_name: 'A', text }))
    await h.as(ada).post(`${space}/events/batch`, { events }).expect(200)
  })

  it('are not produced ahead of time', async () => {
    const page = `${space}/events?tail=true&limit=36`
    const before = peakMemory(h.program)
    const socket = client.open(inARow(repeat(`GET ${page}`))).pause()
    // Gives the requests on the connection time to run ahead.
    for (let n = 0; n < 100; n++) await h.as(ada).get(page).expect(200)
    const answers = inOrder(await untilClosed(socket.resume(), 60_000))
    expect(answers).toHaveLength(COUNT)
    expect(new Set(answers.map(({ status, text }) => `${status} ${text.length}`)).size).toBe(1)
    expect(peakMemory(h.program) - before).toBeLessThan(100)
  })
})
