import type { Socket } from 'node:net'
import type { Frame, LiveStream, Signal } from '@collab-spaces/api'
import type { Response } from 'express'
import { writeShared } from './connection/slow-readers.js'
import type { ReportFault } from './errors.js'

const KEEP_ALIVE_INTERVAL_MS = 15_000

/** Proxies that gather answers would hold the events back. */
export const STREAM_HEADERS = ['Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no']

/** How a stream is spelled in Server-Sent Events. */
export interface StreamFormat {
  /** Sent at once, so that the reader knows that it is connected. */
  readonly opening: string
  /** Sent now and then, which keeps proxies from taking a quiet space for a dead connection. */
  readonly keepAlive: string
  readonly frame: Frame
  /** A message beside events. */
  signal(signal: Signal): string
  /** The last words to a reader whose stream ends before it leaves; null for a reason means that it may come back. */
  ending(reason: unknown): string
}

/** As the reference has it. A reader that finds its connection closed comes back, and is told then what is wrong. */
export const CONTEXT_EVENTS: StreamFormat = {
  opening: ': keep-alive\n\n',
  keepAlive: ': keep-alive\n\n',
  frame: ({ eventId, wire }) => `event: context_event\ndata: ${wire}\nid: ${eventId}\n\n`,
  signal: (signal) => `event: ${signal.kind}\ndata: ${JSON.stringify(signal)}\n\n`,
  ending: () => '',
}

/** Writes live streams until their readers are gone or their credentials end. */
export class StreamWriter {
  readonly #open = new Set<Socket>()
  #timer: NodeJS.Timeout | null = null

  constructor(
    private readonly format: StreamFormat,
    private readonly report: ReportFault,
    private readonly keepAliveEveryMs = KEEP_ALIVE_INTERVAL_MS,
  ) {}

  write(response: Response, stream: LiveStream): void {
    // A reader who left before the stream began closes nothing any more: its stream would be kept for ever.
    if (response.destroyed) {
      stream.close()
      return
    }
    response.once('close', () => stream.close())
    // A stream has no length and ends with its connection: nothing has to be put around each of its pieces.
    response.useChunkedEncodingByDefault = false
    response.begin(200, STREAM_HEADERS)
    // By itself, the head is kept as one string for as long as the stream lives, and not in eighty pieces.
    response.flushHeaders()
    // Once it is out, so are the answers to what was asked before on the same connection.
    response.write(this.format.opening, () => this.#begin(response, stream))
  }

  /** From here on the connection is the stream's own; going through the response would only take time. */
  #begin(response: Response, stream: LiveStream): void {
    const { socket } = response
    if (!socket?.writable) return
    const end = (reason: unknown) => {
      // A reader that does not read would keep its stream beyond the end of its credential.
      if (socket.writableNeedDrain) response.destroy()
      else response.end(this.format.ending(reason))
    }
    this.#keepAlive(socket)
    // A reader that does not read is told at once that there was more, when it does.
    let isBehind = false
    const send = (signal: Signal) => {
      isBehind = socket.writableNeedDrain
      if (socket.writable && !isBehind) socket.write(this.format.signal(signal))
    }
    socket.on('drain', () => {
      if (isBehind && stream.missed) send(stream.missed)
      stream.resume()
    })
    stream.open({
      write: (batch) => socket.writable && writeShared(socket, batch.framed(this.format.frame)),
      ...(stream.missed && { send }),
      end,
      fail: (error) => {
        this.report(error, response.req.id)
        end(error)
      },
    })
  }

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
      for (const open of this.#open) {
        if (open.writable && !open.writableNeedDrain) open.write(this.format.keepAlive)
      }
    }, this.keepAliveEveryMs).unref()
  }
}
