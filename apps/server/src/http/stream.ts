import type { Socket } from 'node:net'
import type { EventStream } from '@collab-spaces/api'
import type { Exchange } from './exchange.js'

const COMMENT_EVERY_MS = 15_000
const COMMENT = ': keep-alive\n\n'

/** Proxies that gather answers would hold the events back. */
const HEADERS = ['Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no']

/** Writes live streams as Server-Sent Events, until their readers are gone or their credentials end. */
export class StreamWriter {
  readonly #open = new Set<Socket>()
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
    // Something at once, so that the reader knows that it is connected. Once it is out, so are the answers to what was
    // asked before on the same connection.
    response.write(COMMENT, () => this.#begin(exchange, stream))
  }

  /** From here on the connection belongs to the stream: to go through the response would only cost time. */
  #begin(exchange: Exchange, stream: EventStream): void {
    const { response } = exchange
    const { socket } = response
    if (!socket?.writable) return
    this.#keepAlive(socket)
    socket.on('drain', () => stream.resume())
    response.once('close', () => stream.close())
    stream.open({
      write: ({ frames }) => socket.writable && socket.write(frames),
      end: () => {
        // A reader that does not read would keep its stream beyond the end of its credential.
        if (socket.writableNeedDrain) response.destroy()
        else response.end()
      },
      fail: (error) => this.onFault(exchange, error),
    })
  }

  /** Comments keep proxies from taking a quiet space for a dead connection. */
  #keepAlive(socket: Socket): void {
    this.#open.add(socket)
    socket.once('close', () => {
      this.#open.delete(socket)
      if (this.#open.size === 0 && this.#timer) {
        clearInterval(this.#timer)
        this.#timer = null
      }
    })
    this.#timer ??= setInterval(() => {
      for (const open of this.#open) if (open.writable && !open.writableNeedDrain) open.write(COMMENT)
    }, this.commentEveryMs).unref()
  }
}
