import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGzip, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { HttpAnswer } from '../src/http.js'
import { type Actor, signedInAs, spaces, startSpaces, stubServer, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  await server.as(ada).post('/api/spaces', { space_id: 'plans' }).expect(200)
  await server.as(ada).post('/api/spaces/plans/speech', { text: 'Hello' }).expect(200)
})

/** A tRPC call, a streamed answer, and a raw request. */
const COMMANDS = [
  ['space', 'list'],
  ['read', 'plans'],
  ['api', 'spaces/plans/events'],
]

describe.each(COMMANDS)('spaces %s %s', (...command) => {
  it('reads a compressed answer of a proxy', async () => {
    const { url, requests } = await stubServer(async ({ url = '', headers }, response) => {
      const answer = await fetch(server.url + url, { headers: { authorization: headers.authorization ?? '' } })
      response.writeHead(answer.status, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync(await answer.text()))
    })
    const direct = await spaces(command, { env }).expect(0)
    expect((await spaces(command, { env: { ...env, SPACES_URL: url } }).expect(0)).stdout).toBe(direct.stdout)
    expect(requests[0]?.headers['accept-encoding']).toBe('gzip')
  })

  it('follows no redirect, but names its target', async () => {
    const other = await stubServer((_, response) => response.end())
    const { url, requests } = await stubServer((_, response) =>
      response.writeHead(301, { location: `${other.url}/elsewhere` }).end('Moved'),
    )
    const moved = spaces(command, { env: { ...env, SPACES_URL: url } })
    await moved.expect(1, `The server redirects to ${other.url}/elsewhere`)
    expect(requests).toHaveLength(1)
    expect(other.requests).toEqual([])
  })
})

it('has one body, so that none is gathered unread', () => {
  const answer = new HttpAnswer(200, {}, Readable.from(['Hello']))
  expect(answer.body).toBe(answer.body)
})

describe('a compressed answer', () => {
  it('may have no body', async () => {
    const { url } = await stubServer((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end())
    const answer = await spaces(['api', 'HEAD', 'spaces'], { env: { ...env, SPACES_URL: url } }).expect(0)
    expect(answer.stdout).toBe('')
  })

  it('is decompressed as it arrives', async () => {
    const { url } = await stubServer((_, response) => {
      const gzip = createGzip()
      gzip.pipe(response.writeHead(200, { 'content-encoding': 'gzip' }))
      gzip.write('the first piece')
      gzip.flush()
    })
    const reading = startSpaces(['api', 'spaces/plans/events/stream'], { env: { ...env, SPACES_URL: url } })
    await reading.waitFor('the first piece')
    reading.kill('SIGINT')
    await reading.end().expect(2, 'Cancelled')
  })

  it('is an error when it breaks off', async () => {
    const { url } = await stubServer((_, response) => {
      const packed = gzipSync('[]')
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length })
      response.write(packed.subarray(0, -4), () => response.destroy())
    })
    await spaces(['api', 'spaces'], { env: { ...env, SPACES_URL: url } }).expect(3, 'No answer from the server')
  })
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe.skipIf(!hasOpenssl)('over TLS', () => {
  it('trusts only servers with a known certificate', async () => {
    const { url, certificate } = await tlsServer()
    const there = { ...env, SPACES_URL: url }
    const listed = await spaces(['space', 'list'], { env: { ...there, NODE_EXTRA_CA_CERTS: certificate } }).expect(0)
    expect(listed.stdout).toBe((await spaces(['space', 'list'], { env }).expect(0)).stdout)
    await spaces(['space', 'list'], { env: there }).expect(3, 'self-signed certificate')
  })
})

/** Starts a TLS proxy for the server, with a certificate of its own. */
async function tlsServer(): Promise<{ readonly url: string; readonly certificate: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'spaces-tls-'))
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  expect(spawnSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate]).status).toBe(0)
  const tls = createTlsServer(
    { key: await readFile(key), cert: await readFile(certificate) },
    async (request, response) => {
      const answer = await fetch(server.url + request.url, {
        headers: { authorization: request.headers.authorization ?? '' },
      })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    },
  ).listen(0, '127.0.0.1')
  await once(tls, 'listening')
  onTestFinished(async () => {
    tls.close()
    tls.closeAllConnections()
    await rm(directory, { recursive: true })
  })
  return { url: `https://127.0.0.1:${(tls.address() as AddressInfo).port}`, certificate }
}
