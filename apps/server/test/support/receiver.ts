import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@collab-spaces/testing'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'
import { validatorOfMessage } from './conformance.js'

/** A request as a receiver has verified it. */
export interface ReceivedRequest {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly type: string
  readonly timestamp: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every type
  readonly data: any
  /** The body as it was sent. */
  readonly text: string
}

/** How a receiver answers; 204 unless a test says otherwise. */
export type Answering = (response: ServerResponse, received: ReceivedRequest) => void

const taken: Answering = (response) => response.writeHead(204).end()

/** An actor's own server, which verifies what comes with the library that any actor would use. */
export class Receiver {
  readonly received: ReceivedRequest[] = []
  /** Of requests that it could not verify. */
  readonly failures: unknown[] = []
  /** With which it verifies, by the id of the webhook. */
  readonly secrets = new Map<string, string>()
  answer: Answering = taken
  /** Whether it gives challenges back; otherwise it takes them as it takes everything. */
  echoes = true

  private constructor(private readonly server: Server) {}

  static async listen(port = 0): Promise<Receiver> {
    const server = createServer((request, response) => {
      let text = ''
      request.setEncoding('utf8')
      request.on('data', (chunk: string) => {
        text += chunk
      })
      request.on('end', () => receiver.#take(text, request.headers, response))
    })
    const receiver = new Receiver(server)
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    onTestFinished(() => receiver.close())
    return receiver
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${this.port}${path}`
  }

  /** The requests that it has taken, once there are so many. */
  async until(count: number): Promise<ReceivedRequest[]> {
    await eventually(() => this.received.length >= count)
    return this.received
  }

  close(): Promise<void> {
    this.server.closeAllConnections()
    return new Promise((resolve) => this.server.close(() => resolve()))
  }

  #take(text: string, headers: IncomingHttpHeaders, response: ServerResponse): void {
    try {
      const body = JSON.parse(text)
      const validate = validatorOfMessage(body.type)
      validate(body)
      if (validate.errors) throw new Error(`${body.type} is not as documented: ${JSON.stringify(validate.errors)}`)
      const secret = this.secrets.get(body.data.webhook_id)
      if (secret !== undefined) new Webhook(secret).verify(text, headers as Record<string, string>)
      // A real receiver, too, proves that it wants deliveries. The challenge is none of them.
      if (body.type === 'webhook.challenge' && this.echoes) {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ challenge: body.data.challenge }))
        return
      }
      const received: ReceivedRequest = { ...body, id: String(headers['webhook-id']), headers, text }
      this.received.push(received)
      this.answer(response, received)
    } catch (error) {
      this.failures.push(error)
      response.writeHead(400).end()
    }
  }
}
