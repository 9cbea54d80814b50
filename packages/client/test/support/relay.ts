import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Decides whether a request passes, is lost, or is answered in place of the server. */
export type Conduct = (request: IncomingMessage) => Verdict
export type Verdict =
  | 'pass'
  /** The connection breaks before the request reaches the server. */
  | 'drop'
  /** The server processes the request, and its answer is lost. */
  | 'lose'
  /** There is never an answer. */
  | 'swallow'
  | {
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body?: string
      /** The connection breaks after the body. */
      readonly breaksOff?: true
    }

/** A relay between a client and a server, which fails as networks do. */
export class Relay {
  url = ''
  conduct: Conduct = () => 'pass'
  /** Method and path of each request, in order. */
  readonly requests: string[] = []
  /** The number of bytes of answers that have passed. */
  bytes = 0
  readonly #sockets = new Set<Socket>()
  readonly #flowing = new Set<IncomingMessage>()
  readonly #server = createServer((incoming, outgoing) => this.#handle(incoming, outgoing))

  constructor(private readonly target: string) {
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  /** Breaks all connections at once. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Keeps the connections, but sends nothing more on them. */
  freeze(): void {
    for (const answer of this.#flowing) {
      answer.unpipe()
      answer.pause()
    }
  }

  async close(): Promise<void> {
    this.#server.close()
    this.cut()
    await once(this.#server, 'close')
  }

  #handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url } = incoming
    this.requests.push(`${method} ${url}`)
    const verdict = this.conduct(incoming)
    if (typeof verdict === 'object') {
      outgoing.writeHead(verdict.status, verdict.headers)
      if (verdict.breaksOff) outgoing.write(verdict.body, () => incoming.socket.destroy())
      else outgoing.end(verdict.body)
    } else if (verdict === 'drop') incoming.socket.destroy()
    else if (verdict !== 'swallow') this.#pass(incoming, outgoing, verdict === 'lose')
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse, isLost: boolean): void {
    const { method, url, headers } = incoming
    const onward = request(`${this.target}${url}`, { method, headers }, (answer) => {
      answer.on('data', (chunk: Buffer) => {
        this.bytes += chunk.length
      })
      answer.on('error', () => outgoing.destroy())
      answer.on('end', () => isLost && incoming.socket.destroy())
      if (isLost) return
      outgoing.writeHead(answer.statusCode as number, answer.headers)
      outgoing.flushHeaders()
      this.#flowing.add(answer)
      answer.once('close', () => this.#flowing.delete(answer))
      answer.pipe(outgoing)
    })
    onward.on('error', () => incoming.socket.destroy())
    outgoing.once('close', () => onward.destroy())
    incoming.pipe(onward)
  }
}

/** Starts a relay for one test. */
export async function relayTo(target: string): Promise<Relay> {
  const relay = await new Relay(target).listen()
  onTestFinished(() => relay.close())
  return relay
}
