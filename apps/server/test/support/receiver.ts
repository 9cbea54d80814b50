import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@collab-spaces/testing'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'
import { validatorOfMessage } from './conformance.js'

/** A request that a receiver has verified. */
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

/** A receiver of webhooks, which verifies requests with the public library. */
export class Receiver {
  readonly received: ReceivedRequest[] = []
  /** The errors of requests that could not be verified. */
  readonly failures: unknown[] = []
  /** The secrets for verification, by the id of the webhook. */
  readonly secrets = new Map<string, string>()
  answer: Answering = taken
  /** Whether it returns challenges; otherwise it answers them like other requests. */
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

  /** Waits until this many requests were received, and returns them. */
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
      // As a real receiver does. A challenge does not count as a delivery.
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
