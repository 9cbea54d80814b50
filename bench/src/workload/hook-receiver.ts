import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A webhook receiver that confirms and accepts everything, at once or after a delay. */
export class HookReceiver {
  /** The delay of an answer. */
  holdMs = 0
  /** The number of received events. */
  events = 0
  readonly #server: Server
  /** The requests without an answer yet. */
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

  /** The number of requests without an answer yet. */
  get holding(): number {
    return this.#held.size
  }

  /** Answers the held requests. */
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
