import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { bearer, expectError, PATIENCE_MS } from '@collab-spaces/testing'
import { afterAll, expect } from 'vitest'

export interface WireRequest {
  readonly method: string
  /** Sent unchanged: nothing is resolved or encoded. */
  readonly path: string
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export interface WireResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** The number of concurrent requests of a client. */
export const CONNECTIONS = 16

/** A client that also sends malformed requests. Keeps its connections, as a proxy does. */
export class RawClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

  constructor(private readonly server: { readonly url: string }) {}

  close(): void {
    this.#agent.destroy()
  }

  /** Sends a request. Of a stream only the beginning is read. Rejects at the timeout. */
  ask({ method, path, key, headers = {}, body }: WireRequest): Promise<WireResponse> {
    const { hostname, port } = new URL(this.server.url)
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          agent: this.#agent,
          hostname,
          port,
          method,
          path,
          headers: {
            ...bearer(key),
            ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
            ...headers,
          },
          signal: AbortSignal.timeout(PATIENCE_MS),
        },
        (response) => {
          const { statusCode: status = 0, headers } = response
          if (headers['content-type']?.startsWith('text/event-stream')) {
            response.destroy()
            resolve({ status, headers, text: '' })
            return
          }
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => resolve({ status, headers, text: Buffer.concat(chunks).toString() }))
        },
      )
      sent.on('error', (error) => reject(new Error(`${method} ${path.slice(0, 200)}`, { cause: error })))
      sent.end(body)
    })
  }

  /** Opens a connection and sends bytes on it. */
  open(bytes: string | Uint8Array): Socket {
    const { hostname, port } = new URL(this.server.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(bytes)
    return socket
  }

  /** Sends bytes, and returns everything received until the server closes the connection. Rejects at the timeout. */
  async exchange(bytes: string | Uint8Array, timeoutMs = PATIENCE_MS): Promise<string> {
    return untilClosed(this.open(bytes), timeoutMs)
  }
}

export function untilClosed(socket: Socket, timeoutMs = PATIENCE_MS): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const late = setTimeout(() => {
      socket.destroy()
      reject(new Error(`The connection was not closed; it said: ${text}`))
    }, timeoutMs)
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => {
      clearTimeout(late)
      resolve(text)
    })
  })
}

/** Creates a client for all tests of a file or `describe`, whose server has no address before it has started. */
export function useRaw(server: { readonly url: string }): RawClient {
  const raw = new RawClient(server)
  afterAll(() => raw.close())
  return raw
}

/** Splits the answers of one connection. */
export function answersIn(text: string): WireResponse[] {
  const answers: WireResponse[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ')))
    const length = Number(headers['content-length'] ?? 0)
    answers.push({ status: Number(first.split(' ')[1]), headers, text: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}

/** Expects an answer below 500, and the common JSON form if it is a refusal. */
export function expectProper(received: WireResponse, sent: unknown): void {
  const { status, headers, text } = received
  const seen = { sent, status, text: text.slice(0, 500) }
  expect(status, JSON.stringify(seen)).toBeGreaterThanOrEqual(200)
  expect(status, JSON.stringify(seen)).toBeLessThan(500)
  if (status < 400) return
  expect(headers['content-type'], JSON.stringify(seen)).toBe('application/json; charset=utf-8')
  expectError(status, JSON.parse(text), JSON.stringify(seen))
}

/** Expects a refusal with this status and a matching detail. */
export function expectRefusal(received: WireResponse, status: number, detail: RegExp, sent: unknown): void {
  expectProper(received, sent)
  const seen = JSON.stringify({ sent, text: received.text.slice(0, 500) })
  expect(received.status, seen).toBe(status)
  expect(JSON.parse(received.text).detail, seen).toMatch(detail)
}
