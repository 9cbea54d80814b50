import type { Socket } from 'node:net'
import type { Frame, LiveStream, Signal } from '@collab-spaces/api'
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
    response.once('close', () => stream.close())
    // A stream ends with its connection, so that it needs no chunked encoding.
    response.useChunkedEncodingByDefault = false
    response.begin(200, STREAM_HEADERS)
    // Flushed by itself, the head is kept as one string while the stream lives, not in eighty pieces.
    response.flushHeaders()
    // Once it was sent, so were all earlier responses of the connection.
    response.write(this.format.opening, () => this.#begin(response, stream))
  }

  /** Writes to the socket directly: the connection belongs to the stream now, and the response would only add time. */
  #begin(response: Response, stream: LiveStream): void {
    const { socket } = response
    if (!socket?.writable) return
    const end = (reason: unknown) => {
      // A client that does not read would keep its stream beyond the end of its credential.
      if (socket.writableNeedDrain) response.destroy()
      else response.end(this.format.ending(reason))
    }
    this.#keepAlive(socket)
    // A slow client receives one signal for all those it has missed.
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
