import type { Server } from 'node:http'
import type { Actor } from '@collab-spaces/testing'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireHost } from '../src/http/host.js'
import { createHttpServer, listen } from '../src/listen.js'
import { answersIn, expectRefusal, RawClient, useRaw } from './support/raw.js'
import { useServer } from './support/server.js'

const h = useServer({ PUBLIC_URL: 'https://Spaces.Example.org:8443/', ALLOWED_HOSTS: 'spaces.internal, [fd00::1]' })
const raw = useRaw(h)
let ada: Actor
let space: string

beforeAll(async () => {
  ada = await h.registerHuman()
  space = await h.openSpace(ada)
})
const request = (first: string, ...headers: string[]) =>
  [first, ...headers, `Authorization: Bearer ${ada.api_key}`, 'Connection: close', '', ''].join('\r\n')

async function ask(first: string, ...headers: string[]) {
  const [answer] = answersIn(await raw.exchange(request(first, ...headers)))
  if (!answer) throw new Error('no answer')
  return answer
}

describe('a server that listens on loopback', () => {
  it.each([
    'localhost',
    'LocalHost:8080',
    'spaces.localhost',
    '127.0.0.1',
    '127.9.8.7:1',
    '[::1]',
    '[::1]:8080',
    'spaces.example.org',
    'SPACES.example.org:8443',
    'spaces.internal',
    'spaces.internal:80',
    '[fd00::1]:8080',
  ])('answers to %s', async (host) => {
    expect(await ask('GET /health HTTP/1.1', `Host: ${host}`)).toMatchObject({ status: 200 })
    expect(await ask(`GET http://${host}/health HTTP/1.1`, 'Host: localhost')).toMatchObject({ status: 200 })
  })

  it.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    'notlocalhost',
    'example.org',
    '128.0.0.1',
    '10.0.0.1',
    '[::2]',
    '127.0.0.1.evil.example',
  ])('does not answer to %s', async (host) => {
    const name = host.replace(/:\d+$/, '')
    const wanted = `This server does not answer to the host ${name}; its operator can add it to ALLOWED_HOSTS`
    for (const answer of [
      await ask('GET /health HTTP/1.1', `Host: ${host}`),
      await ask(`GET http://${host}/health HTTP/1.1`, 'Host: localhost'),
    ]) {
      expectRefusal(answer, 421, /./, host)
      expect(JSON.parse(answer.text)).toEqual({ detail: wanted })
    }
  })

  it.each([
    'GET /health',
    'GET /docs',
    'GET /docs/swagger-ui.css',
    'GET /openapi.json',
    'GET /api/spaces',
    'POST /api/actors',
    'GET /trpc/space.list',
    'POST /mcp',
    'GET /nothing',
    'OPTIONS /api/spaces',
    'TRACE /trpc/x',
  ])('does not answer to another name at %s, whatever is asked', async (what) => {
    expectRefusal(await ask(`${what} HTTP/1.1`, 'Host: evil.example'), 421, /ALLOWED_HOSTS/, what)
  })

  it('does not open a stream by another name', async () => {
    const answer = await ask(`GET ${space}/events/stream HTTP/1.1`, 'Host: evil.example')
    expectRefusal(answer, 421, /ALLOWED_HOSTS/, 'stream')
  })

  it('answers to HTTP/1.0, which names no host', async () => {
    expect(await ask('GET /health HTTP/1.0')).toMatchObject({ status: 200 })
  })

  it('goes on doing so after many names', async () => {
    for (let n = 0; n < 150; n++) await ask('GET /health HTTP/1.1', `Host: n${n}.localhost`)
    expect(await ask('GET /health HTTP/1.1', 'Host: localhost')).toMatchObject({ status: 200 })
    expectRefusal(await ask('GET /health HTTP/1.1', 'Host: evil.example'), 421, /./, 'after many')
  })
})

const ODD = ['a:b@c', 'a b', 'localhost/x', 'localhost?x', 'localhost#x', 'localhost:99999', '[::1', '999.1.1.1', '']

describe('a host that is no host', () => {
  it.each(ODD)('is 400, wherever it stands: %j', async (host) => {
    for (const path of ['/health', '/trpc/space.list', '/api/spaces', '/mcp', '/nothing']) {
      const answer = await ask(`GET ${path} HTTP/1.1`, `Host: ${host}`)
      expectRefusal(answer, 400, /^Host: is not a valid host$/, { path, host })
    }
  })

  it('is one of two', async () => {
    for (const second of ['localhost', 'evil.example']) {
      const answer = await ask('GET /health HTTP/1.1', 'Host: localhost', `Host: ${second}`)
      expectRefusal(answer, 400, /^Host: is not a valid host$/, second)
    }
  })

  it.each(['http://ada:secret@localhost/health', 'http:///health', 'http://local%20host/health'])(
    'is 400 in absolute form, too: %s',
    async (target) => {
      expectRefusal(await ask(`GET ${target} HTTP/1.1`, 'Host: localhost'), 400, /^Host: is not a valid host$/, target)
    },
  )
})

describe('a server for other machines', () => {
  let server: Server
  let anywhere: RawClient

  beforeAll(async () => {
    const app = express()
      .use(requireHost(null))
      .use((_request, response) => response.send('ok'))
    server = createHttpServer(app)
    anywhere = new RawClient({ url: `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}` })
  })
  afterAll(() => server.close())

  it.each(['evil.example', '10.0.0.1:8080', 'localhost'])('answers to any name: %s', async (host) => {
    const text = await anywhere.exchange(`GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
  })
})
