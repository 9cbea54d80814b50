import type { ServerResponse } from 'node:http'
import type { EventStream } from '@collab-spaces/api'
import type { Exchange } from './exchange.js'

const COMMENT_EVERY_MS = 15_000
const COMMENT = ': keep-alive\n\n'

/** Proxies that gather answers would hold the events back. */
const HEADERS = ['Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no']

/** Writes live streams as Server-Sent Events, until their readers are gone or their credentials end. */
export class StreamWriter {
  readonly #open = new Set<ServerResponse>()
  #timer: NodeJS.Timeout | null = null

  constructor(
    /** Hears when a stream cannot go on. */
    private readonly onFault: (exchange: Exchange, error: unknown) => void,
    private readonly commentEveryMs = COMMENT_EVERY_MS,
  ) {}

  write(exchange: Exchange, stream: EventStream): void {
    const { response } = exchange
    // Whoever left before the stream began closes nothing any more, and would be kept for ever.
    if (response.destroyed) return
    // A stream has no length and ends with its connection: nothing has to be put around each of its pieces.
    response.useChunkedEncodingByDefault = false
    exchange.begin(200, HEADERS)
    // By itself, the head is kept as one string for as long as the stream lives, and not in eighty pieces.
    response.flushHeaders()
    // Something at once, so that the reader knows that it is connected.
    response.write(COMMENT)
    this.#keepAlive(response)
    response.on('drain', () => stream.resume())
    response.once('close', () => stream.close())
    stream.open({
      write: ({ frames }) => response.write(frames),
      end: () => {
        // A reader that does not read would keep its stream beyond the end of its credential.
        if (response.writableNeedDrain) response.destroy()
        else response.end()
      },
      fail: (error) => this.onFault(exchange, error),
    })
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
