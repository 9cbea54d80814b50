import type { ServerResponse } from 'node:http'
import type { EventStream } from '@collab-spaces/api'
import type { Exchange } from './exchange.js'
import { drained } from './write.js'

const COMMENT_EVERY_MS = 15_000
const COMMENT = ': keep-alive\n\n'

/** Writes a live stream as Server-Sent Events, until its reader is gone or its credential ends. */
export class StreamWriter {
  readonly #open = new Set<ServerResponse>()
  #timer: NodeJS.Timeout | null = null

  constructor(private readonly commentEveryMs = COMMENT_EVERY_MS) {}

  async write(exchange: Exchange, stream: EventStream): Promise<void> {
    const { response } = exchange
    // Whoever left before the stream began closes nothing any more, and would be kept for ever.
    if (response.destroyed) return
    // Proxies that gather answers would hold the events back.
    exchange.begin(200, ['Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no'])
    // Something at once, so that the reader knows that it is connected.
    response.write(COMMENT)
    this.#keepAlive(response)
    for await (const { frames } of stream.batches()) {
      if (!response.write(frames)) await drained(response, stream.ended)
    }
    // A reader that does not read would keep its stream beyond the end of its credential.
    if (response.writableNeedDrain) response.destroy()
    else response.end()
  }

  /** Comments keep proxies from taking a quiet space for a dead connection. */
  #keepAlive(response: ServerResponse): void {
    this.#open.add(response)
    response.once('close', () => {
      this.#open.delete(response)
      if (this.#open.size === 0 && this.#timer) {
        clearInterval(this.#timer)
        this.#timer = null
      }
    })
    this.#timer ??= setInterval(() => {
      for (const open of this.#open) if (!open.writableEnded && !open.writableNeedDrain) open.write(COMMENT)
    }, this.commentEveryMs).unref()
  }
}
