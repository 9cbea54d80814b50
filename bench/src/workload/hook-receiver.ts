import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A receiver of webhooks: it wants and accepts everything, at once or after a while, and does nothing with it. */
export class HookReceiver {
  /** How long a request is held before it is answered. */
  holdMs = 0
  /** How many events have come. */
  events = 0
  readonly #server: Server
  /** Requests that are held. */
  readonly #held = new Map<ServerResponse, NodeJS.Timeout>()

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const { type, data } = JSON.parse(await text(request))
      if (type === 'webhook.challenge') {
        response.end(data.challenge)
        return
      }
      this.events += data.events.length
      if (this.holdMs === 0) response.writeHead(204).end()
      else
        this.#held.set(
          response,
          setTimeout(() => this.#answer(response), this.holdMs),
        )
    })
  }

  static async start(): Promise<HookReceiver> {
    const receiver = new HookReceiver()
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  /** How many requests are held. */
  get holding(): number {
    return this.#held.size
  }

  /** Answers what is held. */
  release(): void {
    for (const response of this.#held.keys()) this.#answer(response)
  }

  close(): void {
    this.release()
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #answer(response: ServerResponse): void {
    clearTimeout(this.#held.get(response))
    this.#held.delete(response)
    response.writeHead(204).end()
  }
}
