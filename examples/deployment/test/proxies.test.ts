import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { connect, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { createClient } from '@collab-spaces/client'
import { describeWith, eventually, freePorts, programPath, useDirectory, useProgram } from '@collab-spaces/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const NAME = 'spaces.example.org'
const directory = useDirectory()
const certificate = () => join(directory.path, 'certificate.pem')
const key = () => join(directory.path, 'key.pem')

interface Proxy {
  readonly program: string
  /** Whether it buffers request bodies. */
  readonly buffersBodies: boolean
  /** The checked-in configuration with other addresses, and its command line. */
  configure(port: number, upstream: string): Promise<readonly string[]>
}

const example = (file: string) => readFile(new URL(`../proxies/${file}`, import.meta.url), 'utf8')

const caddy: Proxy = {
  program: 'caddy',
  buffersBodies: false,
  async configure(port, upstream) {
    const file = join(directory.path, 'Caddyfile')
    const site = (await example('Caddyfile'))
      .replace(`${NAME} {`, `${NAME}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate()} ${key()}`)
      .replace('127.0.0.1:8080', upstream)
    await writeFile(file, `{\n\tadmin off\n\tgrace_period 1s\n\tauto_https disable_redirects\n}\n${site}`)
    return ['run', '--adapter', 'caddyfile', '--config', file]
  },
}

const nginx: Proxy = {
  program: 'nginx',
  buffersBodies: true,
  async configure(port, upstream) {
    const file = join(directory.path, 'nginx.conf')
    const site = (await example('nginx.conf'))
      .replace('127.0.0.1:8080', upstream)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace(`/etc/ssl/${NAME}.pem`, certificate())
      .replace(`/etc/ssl/${NAME}.key`, key())
      .replace('/var/log/nginx/error.log', 'stderr')
    const logs = `access_log off; error_log stderr; client_body_temp_path ${directory.path}/bodies;`
    // Under root, its workers would run as another user, who may not enter the directory.
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    const rest = `${user} pid ${directory.path}/nginx.pid; daemon off; worker_processes 1; events {} http { ${logs} ${site} }`
    await writeFile(file, rest)
    return ['-e', 'stderr', '-p', directory.path, '-c', file]
  },
}

beforeAll(async () => {
  const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`]
  const files = ['-keyout', key(), '-out', certificate()]
  await promisify(execFile)('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    ...subject,
    ...files,
  ])
})

/** `fetch` over TLS to this machine, by the name in the certificate. */
const fetchAt = (port: number) => async (url: string, init: RequestInit) => {
  const { pathname, search } = new URL(url)
  const ca = await readFile(certificate())
  const headers = { ...Object.fromEntries(new Headers(init.headers)), host: NAME }
  const options = { host: '127.0.0.1', port, servername: NAME, path: pathname + search, ca, headers }
  const sent = request({ ...options, method: init.method ?? 'GET', ...(init.signal && { signal: init.signal }) })
  sent.end(init.body)
  const [answer] = await once(sent, 'response')
  const body = Readable.toWeb(answer) as ReadableStream
  return new Response(body, { status: answer.statusCode, headers: answer.headers })
}

async function openTls(port: number, bytes: string): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, servername: NAME, ca: await readFile(certificate()) })
  socket.write(bytes)
  return socket
}

const statusOf = async (socket: TLSSocket) => Number(/^HTTP\/1.1 (\d+)/.exec(String(await once(socket, 'data')))?.[1])

describe.each([caddy, nginx])('behind $program', ({ program, buffersBodies, configure }) => {
  describeWith([program], 'over TLS', () => {
    const h = useProgram({ PUBLIC_URL: `https://${NAME}`, TRUST_PROXY: '1' })
    let port: number
    let proxy: ChildProcess

    beforeAll(async () => {
      port = await freePorts(1)
      const words = await configure(port, h.url.slice('http://'.length))
      proxy = spawn(program, [...words], { stdio: 'inherit', env: { PATH: programPath(), HOME: directory.path } })
      const health = () => fetchAt(port)(`https://${NAME}/health`, {}).then(({ ok }) => ok)
      await eventually(() => health().catch(() => false))
    })
    afterAll(async () => {
      proxy.kill('SIGTERM')
      if (proxy.exitCode === null) await once(proxy, 'exit')
    })

    it('an event reaches a stream at once', async () => {
      const address = { url: `https://${NAME}`, fetch: fetchAt(port) }
      const { api_key } = await createClient(address).actor.register.mutate({
        display_name: 'Ada',
        email: 'ada@example.org',
      })
      const ada = createClient({ ...address, token: api_key })
      await ada.space.create.mutate({ space_id: program })
      const events = ada.stream(program)[Symbol.asyncIterator]()
      // A buffering proxy would deliver the answer only at the end of the stream.
      const first = events.next()
      await ada.event.speech.mutate({ space_id: program, text: 'Hello' })
      expect((await first).value).toMatchObject({ text: 'Hello' })
      const longest = '漢'.repeat(100_000)
      await ada.event.speech.mutate({ space_id: program, text: longest })
      expect((await events.next()).value).toMatchObject({ text: longest })
      await events.return?.()
    })

    it('browsers can use one HTTP/2 connection for all streams and requests', async () => {
      const session = connectHttp2(`https://127.0.0.1:${port}`, { servername: NAME, ca: await readFile(certificate()) })
      const healthRequest = session.request({ ':path': '/health', ':authority': NAME })
      const [headers] = await once(healthRequest, 'response')
      session.destroy()
      expect(headers[':status']).toBe(200)
    })

    it.runIf(buffersBodies)('uploads in small chunks and many incomplete uploads are accepted', async () => {
      const { ada, path } = await h.adasSpace()
      const post = (to: string, framing: string, body: string) =>
        openTls(
          port,
          `POST ${path}/${to} HTTP/1.1\r\nHost: ${NAME}\r\nAuthorization: Bearer ${ada.api_key}\r\n${framing}\r\n\r\n${body}`,
        )
      // The server itself refuses many small chunks (`small-chunks`) and many incomplete requests (`fairness`).
      const letters = [...JSON.stringify({ text: 'x'.repeat(5_000) })].map((letter) => `1\r\n${letter}\r\n`)
      const inChunks = await post('speech', 'Transfer-Encoding: chunked', `${letters.join('')}0\r\n\r\n`)
      expect(await statusOf(inChunks)).toBe(200)
      const events = Array(39).fill({ text: 'x'.repeat(100_000), speaker_id: 'x', speaker_name: 'X' })
      const batch = JSON.stringify({ events })
      const length = `Content-Length: ${batch.length}`
      const unfinished = await Promise.all(
        Array.from({ length: 14 }, () => post('events/batch', length, batch.slice(0, -1))),
      )
      await Promise.all(unfinished.map((socket) => eventually(() => socket.writableLength === 0)))
      expect(await statusOf(await post('events/batch', length, batch))).toBe(200)
      const [first, ...others] = unfinished as [TLSSocket, ...TLSSocket[]]
      first.write(batch.slice(-1))
      expect(await statusOf(first)).toBe(200)
      for (const socket of [first, inChunks, ...others]) socket.destroy()
    })
  })
})
