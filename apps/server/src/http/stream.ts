import type { Socket } from 'node:net'
import type { Batch, Frame, LiveStream, Signal, Subscriber } from '@collab-spaces/api'
import type { Response } from 'express'
import { writeShared } from './connection/slow-readers.js'
import type { ReportFault } from './errors.js'

const KEEP_ALIVE_INTERVAL_MS = 15_000

/** Keeps proxies from buffering the events. */
export const STREAM_HEADERS = ['Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no']

/** The format of a stream in Server-Sent Events. */
export interface StreamFormat {
  /** Sent at once, which tells the client that it is connected. */
  readonly opening: string
  /** Sent periodically, which keeps proxies from closing a quiet connection. */
  readonly keepAlive: string
  readonly frame: Frame
  /** Formats a signal. */
  signal(signal: Signal): string
  /** Formats the end of a stream; a null reason means that the client may reconnect. */
  ending(reason: unknown): string
}

/** The format of the reference. A client whose connection is closed reconnects and receives the error. */
export const CONTEXT_EVENTS: StreamFormat = {
  opening: ': keep-alive\n\n',
  keepAlive: ': keep-alive\n\n',
  frame: ({ eventId, wire }) => `event: context_event\ndata: ${wire}\nid: ${eventId}\n\n`,
  signal: (signal) => `event: ${signal.kind}\ndata: ${JSON.stringify(signal)}\n\n`,
  ending: () => '',
}

/** Writes live streams until their clients disconnect or their credentials end. */
export class StreamWriter {
  readonly #open = new Set<Socket>()
  #timer: NodeJS.Timeout | null = null

  constructor(
    private readonly format: StreamFormat,
    private readonly report: ReportFault,
    private readonly keepAliveEveryMs = KEEP_ALIVE_INTERVAL_MS,
  ) {}

  write(response: Response, stream: LiveStream): void {
    // A client that disconnected before the start triggers no close: its stream would be kept forever.
    if (response.destroyed) {
      stream.close()
      return
    }
    const { socket } = response.req
    response.on('close', () => {
      stream.close()
      this.#leave(socket)
    })
    // A stream ends with its connection, so that it needs no chunked encoding.
    response.useChunkedEncodingByDefault = false
    response.begin(200, STREAM_HEADERS)
    // Flushed by itself, the head is kept as one string while the stream lives, not in eighty pieces.
    response.flushHeaders()
    // Once it was sent, so were all earlier responses of the connection.
    response.write(this.format.opening, () => {
      if (!socket.writable) return
      this.#enter(socket)
      stream.open(new SocketSubscriber(response, socket, stream, this.format, this.report))
    })
  }

  #enter(socket: Socket): void {
    this.#open.add(socket)
    this.#timer ??= setInterval(() => {
      for (const open of this.#open) {
        if (open.writable && !open.writableNeedDrain) open.write(this.format.keepAlive)
      }
    }, this.keepAliveEveryMs).unref()
  }

  #leave(socket: Socket): void {
    this.#open.delete(socket)
    if (this.#open.size > 0 || !this.#timer) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}

const NOTHING = {}
const NO_HEADERS: string[] = []

/** Releases what Node and Express keep of a request, which no code reads while its stream is open. */
function release(response: Response): void {
  Object.assign(response, { locals: NOTHING })
  Object.assign(response.req, { next: undefined, params: NOTHING, _parsedUrl: undefined })
  Object.assign(response.req, { headers: NOTHING, rawHeaders: NO_HEADERS })
}

/** Writes to the socket directly: the connection belongs to the stream now, and the response would only add time. */
class SocketSubscriber implements Subscriber {
  /** Whether it has missed signals. It receives one for all of them. */
  #isBehind = false

  constructor(
    private readonly response: Response,
    private readonly socket: Socket,
    private readonly stream: LiveStream,
    private readonly format: StreamFormat,
    private readonly report: ReportFault,
  ) {
    socket.on('drain', () => this.#resume())
    release(response)
  }

  write(batch: Batch): boolean {
    return this.socket.writable && writeShared(this.socket, batch.framed(this.format.frame))
  }

  send(signal: Signal): void {
    const { socket, stream, format } = this
    if (stream.missed === null) return
    // Where events begin and end cannot be read again. There are few such signals.
    const isPlace = signal.kind === 'following' || signal.kind === 'unfollowed'
    if (!isPlace) this.#isBehind = socket.writableNeedDrain
    if (socket.writable && (isPlace || !this.#isBehind)) socket.write(format.signal(signal))
  }

  end(reason: unknown): void {
    // A client that does not read would keep its stream beyond the end of its credential.
    if (this.socket.writableNeedDrain) this.response.destroy()
    else this.response.end(this.format.ending(reason))
  }

  fail(error: unknown): void {
    this.report(error, this.response.req.id)
    this.end(error)
  }

  #resume(): void {
    const { missed } = this.stream
    if (this.#isBehind && missed) this.send(missed)
    this.stream.resume()
  }
}
