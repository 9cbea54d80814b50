import type { Socket } from 'node:net'
import { queuedBytes, unsentBytes } from './unsent.js'

/** How long a reader may take nothing at all from its socket. */
const STALL_MS = 15_000
/** How many bytes may wait for all readers together. */
const MOST_UNSENT = 48 * 1024 * 1024
/** Short, as many readers can ask for much at once. */
const TICK_MS = 100

interface Progress {
  written: number
  queued: number
  since: number
}

/** A reader for which something waits, and since when it has taken nothing of it. */
interface Waiting {
  readonly socket: Socket
  readonly since: number
}

export interface Patience {
  readonly stallMs?: number
  readonly mostUnsent?: number
  readonly tickMs?: number
}

/**
 * Cuts off readers that do not read. Writers wait for them, so no more than one chunk lies before a socket, but each
 * holds that and a connection for as long as it likes; a live client comes back with its cursor. One that is only
 * slow is left in peace, however large the chunk, unless all chunks together are too much for this process.
 */
export class SlowReaders {
  readonly #watched = new Map<Socket, Progress>()
  readonly #stallMs: number
  readonly #mostUnsent: number
  readonly #tickMs: number
  /** The time that this process has looked on. While it was held up itself, readers could show no progress. */
  #clock = 0
  #looked = 0
  #timer: NodeJS.Timeout | null = null

  constructor({ stallMs = STALL_MS, mostUnsent = MOST_UNSENT, tickMs = TICK_MS }: Patience = {}) {
    this.#stallMs = stallMs
    this.#mostUnsent = mostUnsent
    this.#tickMs = tickMs
  }

  /** Watches a connection until it is closed. */
  watch(socket: Socket): void {
    this.#watched.set(socket, { written: 0, queued: 0, since: this.#clock })
    socket.once('close', () => {
      this.#watched.delete(socket)
      if (this.#watched.size === 0 && this.#timer) {
        clearInterval(this.#timer)
        this.#timer = null
      }
    })
    if (this.#timer) return
    this.#looked = performance.now()
    this.#timer = setInterval(() => this.#tick(performance.now()), this.#tickMs).unref()
  }

  #tick(now: number): void {
    this.#clock += Math.min(now - this.#looked, this.#tickMs)
    this.#looked = now
    this.#check(this.#clock)
  }

  #check(now: number): void {
    const waiting: Waiting[] = []
    for (const [socket, progress] of this.#watched) {
      if (socket.writableLength === 0) {
        progress.since = now
        continue
      }
      // `bytesWritten` counts what waits, too; the difference has been handed to the system.
      const written = socket.bytesWritten - socket.writableLength
      const queued = queuedBytes(socket)
      if (written !== progress.written || queued !== progress.queued) {
        progress.written = written
        progress.queued = queued
        progress.since = now
      }
      if (now - progress.since >= this.#stallMs) socket.destroy()
      else waiting.push({ socket, since: progress.since })
    }
    this.#relieve(waiting)
  }

  /** Cuts off those that have made no progress for longest, until what waits for the others is not too much. */
  #relieve(waiting: readonly Waiting[]): void {
    const bytes = unsentBytes(waiting.map(({ socket }) => socket))
    let total = bytes.reduce((sum, each) => sum + each, 0)
    if (total <= this.#mostUnsent) return
    const readers = waiting.map((reader, index) => ({ ...reader, bytes: bytes[index] as number }))
    for (const { socket, bytes } of readers.sort((a, b) => a.since - b.since || b.bytes - a.bytes)) {
      socket.destroy()
      total -= bytes
      if (total <= this.#mostUnsent) return
    }
  }
}
