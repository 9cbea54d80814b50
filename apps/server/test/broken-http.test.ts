import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Actor } from '@collab-spaces/testing'
import express from 'express'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createHttpServer } from '../src/http/server.js'
import { listen } from '../src/listen.js'
import { answersIn, expectRefusal, RawClient, untilClosed, useRaw } from './support/raw.js'
import { useServer } from './support/server.js'

const h = useServer()
const raw = useRaw(h)
let ada: Actor
let space: string

beforeAll(async () => {
  ada = await h.registerHuman()
  space = await h.openSpace(ada)
})
/** The server survives any bytes from a socket. */
afterEach(async () => {
  expect(await h.get('/health').expect(200)).toEqual({ status: 'ok' })
})

const head = (first: string, ...headers: string[]) =>
  [first, 'Host: localhost', `Authorization: Bearer ${ada.api_key}`, ...headers, '', ''].join('\r\n')

const speech = (...headers: string[]) => head(`POST ${space}/speech HTTP/1.1`, ...headers)

const countOfEvents = async () => (await h.as(ada).get(`${space}/status`).expect(200)).event_count

describe('an invalid HTTP message', () => {
  it.each([
    ['text', 'hello\r\n\r\n'],
    ['binary', Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 197) % 256))],
    ['zeros', Buffer.alloc(1_000)],
    ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/9.9', 'GET /health HTTP/9.9\r\nHost: localhost\r\n\r\n'],
    ['an unknown method', 'BREW /health HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a method in lower case', 'get /health HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a space in the path', 'GET /hea lth HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a NUL in the path', 'GET /hea\0lth HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a NUL in a header', 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: a\0b\r\n\r\n'],
    ['a header without a name', 'GET /health HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n'],
    ['a folded header', 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: a\r\n b\0\r\n\r\n'],
    ['no host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two lengths', 'POST /api/spaces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['a negative length', 'POST /api/spaces HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n'],
    ['a length in exponential notation', 'POST /api/spaces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1e3\r\n\r\n'],
    [
      'a length and chunks',
      'POST /api/spaces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'an unknown transfer encoding',
      'POST /api/spaces HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n{}',
    ],
  ])('gets 400, and the connection is closed: %s', async (_, bytes) => {
    const answers = answersIn(await raw.exchange(bytes))
    expect(answers).toHaveLength(1)
    const [answer] = answers
    if (answer) expectRefusal(answer, 400, /./, bytes)
    expect(answer?.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each([
    ['BREW /health HTTP/1.1\r\nHost: localhost\r\n\r\n', 'Invalid method encountered'],
    [Buffer.from('16030100a5010000a10303', 'hex'), 'Invalid method encountered'],
    ['POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1e3\r\n\r\n', 'Invalid character in Content-Length'],
    [`GET / HTTP/1.1\r\nX: ${'x'.repeat(32_768)}\r\n\r\n`, 'its headers are larger than 16 KiB'],
  ])('gets the reason in the error: %j', async (bytes, problem) => {
    const [answer] = answersIn(await raw.exchange(bytes))
    expect(JSON.parse(answer?.text ?? '')).toEqual({ detail: `The request could not be read: ${problem}` })
  })

  it('gets 431 for headers above the limit', async () => {
    const [answer] = answersIn(await raw.exchange(head('GET /health HTTP/1.1', `X-Large: ${'x'.repeat(32_768)}`)))
    if (!answer) throw new Error('no answer')
    expectRefusal(answer, 431, /./, 'large headers')
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('closes the connection when it is CONNECT', async () => {
    await raw.exchange('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n')
  })
})

describe('unusual requests', () => {
  const CLOSE = 'Connection: close'

  it.each([
    ['in absolute form', 'GET http://localhost/health HTTP/1.1'],
    ['of HTTP/1.0', 'GET /health HTTP/1.0'],
  ])('%s are served', async (_, first) => {
    const [answer] = answersIn(await raw.exchange(head(first, CLOSE)))
    expect(answer).toMatchObject({ status: 200, text: '{"status":"ok"}' })
  })

  it('of HTTP/0.9 are served', async () => {
    expect(answersIn(await raw.exchange('GET /health\r\n\r\n'))).toMatchObject([{ status: 200 }])
  })

  it('in absolute form reach the API too', async () => {
    const [answer] = answersIn(await raw.exchange(head(`GET http://localhost${space}/status?x=1 HTTP/1.1`, CLOSE)))
    expect(answer).toMatchObject({ status: 200 })
  })

  it.each([
    ['a fragment', '/health#x'],
    ['another scheme', 'ftp://localhost/health'],
  ])('with %s in the target get 404, as the target is not normalized', async (_, target) => {
    const [answer] = answersIn(await raw.exchange(head(`GET ${target} HTTP/1.1`, CLOSE)))
    expect(answer).toMatchObject({ status: 404, text: '{"detail":"Path not found: see /docs"}' })
  })

  it('for an upgrade are answered without one', async () => {
    const upgrade = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: eA==',
    ]
    const socket = raw.open(head(`GET ${space}/events HTTP/1.1`, ...upgrade))
    const [chunk] = await once(socket, 'data')
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    socket.destroy()
  })

  it('with an Expect header are answered, even with an unknown value', async () => {
    const body = '{"text":"Expected"}'
    for (const [expectation, statuses] of [
      ['100-continue', [100, 200]],
      ['200-maybe', [200]],
    ] as const) {
      const request = speech(`Expect: ${expectation}`, `Content-Length: ${body.length}`, CLOSE) + body
      expect(answersIn(await raw.exchange(request)).map(({ status }) => status)).toEqual(statuses)
    }
  })

  it('in chunks are read whole', async () => {
    const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
    const whole =
      speech('Transfer-Encoding: chunked', CLOSE) + chunk('{"te') + chunk('xt":"é') + chunk('!"}') + chunk('')
    const [answer] = answersIn(await raw.exchange(whole))
    expect(JSON.parse(answer?.text ?? '').text).toBe('é!')
  })
})

describe('requests that no browser sends', () => {
  it.each(['gzip, chunked', 'identity, chunked', 'chunked, chunked'])(
    'with the transfer coding %s get 400',
    async (coding) => {
      const chunks = '2\r\n{}\r\n0\r\n\r\n'
      for (const first of [
        'POST /api/actors HTTP/1.1',
        'POST /trpc/actor.me HTTP/1.1',
        'POST /mcp HTTP/1.1',
        'GET /health HTTP/1.1',
      ]) {
        const [answer] = answersIn(
          await raw.exchange(head(first, `Transfer-Encoding: ${coding}`, 'Connection: close') + chunks),
        )
        if (!answer) throw new Error('no answer')
        expectRefusal(answer, 400, /./, { first, coding })
      }
    },
  )

  it.each([
    ['/health', 405],
    ['/trpc/actor.me', 405],
    ['/trpc/nothing', 405],
    ['/mcp', 405],
    ['/api/spaces', 405],
    ['/docs', 405],
    ['/nothing', 404],
  ])('with TRACE %s get %i', async (path, status) => {
    for (const target of [path, `http://localhost${path}`]) {
      const [answer] = answersIn(await raw.exchange(head(`TRACE ${target}?token=x HTTP/1.1`, 'Connection: close')))
      if (!answer) throw new Error('no answer')
      expectRefusal(answer, status, /./, target)
      if (status === 405) expect(answer.headers.allow).toMatch(/get|post/)
    }
  })

  it('with two Authorization headers get 401', async () => {
    for (const first of [`GET ${space}/status HTTP/1.1`, 'POST /mcp HTTP/1.1']) {
      const twice = head(first, `Authorization: Bearer ${ada.api_key}`, 'Connection: close')
      const [answer] = answersIn(await raw.exchange(twice))
      if (!answer) throw new Error('no answer')
      expectRefusal(answer, 401, /^Authentication required$/, first)
    }
  })
})

describe('a client that closes its half of the connection', () => {
  const body = '{"text":"And that was all"}'

  it('is treated as gone: its write is stored at most once, and can be retried', async () => {
    const write = speech(`Content-Length: ${body.length}`, 'Idempotency-Key: half-closed') + body
    const before = await countOfEvents()
    const leaving = raw.open(write)
    await once(leaving, 'connect')
    leaving.end()
    await untilClosed(leaving)
    const staying = raw.open(write)
    const [answer] = await once(staying, 'data')
    staying.destroy()
    expect(String(answer)).toContain('HTTP/1.1 200 ')
    expect(await countOfEvents()).toBe(before + 1)
  })

  it('ends its stream', async () => {
    const socket = raw.open(head(`GET ${space}/events/stream HTTP/1.1`))
    await once(socket, 'data')
    socket.end()
    expect(await untilClosed(socket)).not.toContain('HTTP/1.1 4')
  })
})

describe('incomplete requests', () => {
  /** Returns the bytes that a client sends before it falls silent or disconnects. */
  const beginnings = (): [string, string][] => [
    ['nothing', ''],
    ['half a line', `POST ${space}/sp`],
    ['half of the headers', `POST ${space}/speech HTTP/1.1\r\nHost: loc`],
    ['half of a body', `${speech('Content-Length: 1000')}{"text":"Half`],
    ['half of a chunk', `${speech('Transfer-Encoding: chunked')}ff\r\n{"text":"Half`],
    ['chunks without an end', `${speech('Transfer-Encoding: chunked')}f\r\n{"text":"Half"}\r\n`],
    ['an expectation', speech('Content-Length: 1000', 'Expect: 100-continue')],
  ]

  it('write nothing when the connection is cut', async () => {
    const before = await countOfEvents()
    for (const [, bytes] of beginnings()) {
      const socket = raw.open(bytes)
      await once(socket, 'connect')
      // After a half-close the server ends its half; a reset ends both.
      const closed = untilClosed(socket)
      socket.end()
      await closed
      const cut = raw.open(bytes)
      await once(cut, 'connect')
      cut.resetAndDestroy()
    }
    expect(await countOfEvents()).toBe(before)
  })

  it('do not block other requests', async () => {
    const sockets: Socket[] = []
    for (let round = 0; round < 20; round++) {
      for (const [, bytes] of beginnings()) sockets.push(raw.open(bytes))
    }
    await Promise.all(sockets.map((socket) => socket.pending && once(socket, 'connect')))
    const event = await h.as(ada).post(`${space}/speech`, { text: 'Whole' }).expect(200)
    expect(await h.as(ada).get(`${space}/events?tail=true&limit=1`).expect(200)).toEqual([event])
    expect(sockets.filter((socket) => socket.destroyed)).toEqual([])
    for (const socket of sockets) socket.destroy()
  })

  describe('within the time limit', () => {
    let server: Server
    let patient: RawClient
    let reached = 0

    beforeAll(async () => {
      const app = express().use((request, response) => {
        reached++
        request.on('error', () => {})
        request.resume().on('end', () => response.end())
      })
      server = createHttpServer(app)
      // The served configuration with shorter timeouts.
      server.headersTimeout = 100
      server.requestTimeout = 200
      patient = new RawClient({ url: `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}` })
    })
    afterAll(() => {
      server.closeAllConnections()
      server.close()
    })

    /** Sends headers one by one, without an end. */
    async function trickle(): Promise<string> {
      const socket = patient.open('GET /health HTTP/1.1\r\nHost: localhost\r\n')
      const drops = setInterval(() => socket.write('X-A: b\r\n'), 50)
      try {
        return await untilClosed(socket)
      } finally {
        clearInterval(drops)
      }
    }

    it('get 408, even when headers trickle in', async () => {
      const silent = beginnings().filter(([what]) => what !== 'nothing')
      const texts = await Promise.all([...silent.map(([, bytes]) => patient.exchange(bytes)), trickle()])
      for (const text of texts) {
        const answer = answersIn(text).find(({ status }) => status !== 100)
        if (!answer) throw new Error(`no answer: ${text}`)
        expectRefusal(answer, 408, /it took too long to arrive$/, text)
      }
      expect(reached).toBeGreaterThan(0)
    })
  })
})

describe('clients that disconnect', () => {
  it('do no harm in the middle of an answer', async () => {
    for (let i = 0; i < 20; i++)
      await h
        .as(ada)
        .post(`${space}/speech`, { text: 'x'.repeat(50_000) })
        .expect(200)
    for (const path of [`${space}/transcript`, `${space}/events`, `${space}/events/stream`]) {
      const socket = raw.open(head(`GET ${path} HTTP/1.1`))
      await once(socket, 'data')
      socket.resetAndDestroy()
    }
    await vi.waitFor(async () =>
      expect((await h.as(ada).get(`${space}/transcript`).expect(200)).length).toBeGreaterThan(19),
    )
  })
})
