import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from '@collab-spaces/testing/programs'

/** A received request. */
export interface Delivery {
  /** The `webhook-id`. */
  readonly id: string
  readonly digest: string
  /** The event before the first one; null at the beginning of the log. */
  readonly since: string | null
  readonly eventIds: readonly string[]
}

/** The response to a request that was read completely. */
export type Mood = 'accepts' | 'refuses' | 'hangs up'

/** The received deliveries of a webhook. */
export class Inbound {
  readonly deliveries: Delivery[] = []
  readonly violations: string[] = []
  #underWay = 0

  constructor(
    readonly space: string,
    private readonly secret: string,
  ) {}

  begin(): void {
    this.#underWay++
    if (this.#underWay > 1) this.violations.push('a request came while another one was under way')
  }

  end(): void {
    this.#underWay--
  }

  take({ headers }: IncomingMessage, body: string): void {
    const id = String(headers['webhook-id'])
    if (!this.#isSigned(id, headers, body)) this.violations.push(`the signature of ${id} is wrong`)
    const { type, data } = JSON.parse(body)
    if (type !== 'events.appended') this.violations.push(`a request of the type ${type}, which was not requested`)
    const events: { event_id: string }[] = data.events
    const digest = createHash('sha256').update(body).digest('hex')
    this.deliveries.push({ id, digest, since: data.since, eventIds: events.map(({ event_id }) => event_id) })
  }

  /** Checks a signature of Standard Webhooks. Implemented independently, since a receiver needs none of our code. */
  #isSigned(id: string, headers: IncomingMessage['headers'], body: string): boolean {
    const key = Buffer.from(this.secret.replace(/^whsec_/, ''), 'base64')
    const expected = createHmac('sha256', key).update(`${id}.${headers['webhook-timestamp']}.${body}`).digest()
    return String(headers['webhook-signature'])
      .split(' ')
      .map((signature) => Buffer.from(signature.replace(/^v1,/, ''), 'base64'))
      .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected))
  }
}

/** A receiver of webhooks that can be killed and restarted at the same address. */
export class Receiver {
  mood: Mood = 'accepts'
  readonly #inbound = new Map<string, Inbound>()
  #server: Server | undefined

  private constructor(
    private readonly port: number,
    private readonly between: (least: number, most: number) => number,
  ) {}

  static async start(between: (least: number, most: number) => number): Promise<Receiver> {
    const port = await freePorts(1)
    const receiver = new Receiver(port, between)
    await receiver.start()
    return receiver
  }

  get inbound(): readonly Inbound[] {
    return [...this.#inbound.values()]
  }

  urlOf(name: string): string {
    return `http://127.0.0.1:${this.port}/${name}`
  }

  /** Registers the webhook of this path. */
  expect(name: string, inbound: Inbound): void {
    this.#inbound.set(`/${name}`, inbound)
  }

  async start(): Promise<void> {
    this.#server = createServer(
      (request, response) => void this.#take(request, response).catch(() => response.destroy()),
    )
    this.#server.listen(this.port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  /** Breaks all connections, and refuses new ones. */
  async kill(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const inbound = this.#inbound.get(request.url ?? '')
    if (!inbound) {
      // The confirmation request arrives before the secret is known.
      const { type, data } = JSON.parse(await text(request))
      if (type === 'webhook.challenge') response.end(data.challenge)
      else response.writeHead(404).end()
      return
    }
    inbound.begin()
    response.once('close', () => inbound.end())
    const body = await text(request)
    inbound.take(request, body)
    const { mood } = this
    await delay(this.between(0, 30))
    if (mood === 'hangs up') response.destroy()
    else response.writeHead(mood === 'accepts' ? 204 : 503).end()
  }
}
