import type { Socket } from 'node:net'

/** How long a reader may take nothing at all from its socket. */
const STALL_MS = 15_000
const TICK_MS = 1_000

interface Progress {
  written: number
  queued: number
  since: number
}

/**
 * Cuts off readers that do not read. Writers wait for them, so no more than one chunk lies before a socket, but each
 * holds that and a connection for as long as it likes; a live client comes back with its cursor. One that is only
 * slow is left in peace, however large the chunk.
 */
export class SlowReaders {
  readonly #watched = new Map<Socket, Progress>()
  #timer: NodeJS.Timeout | null = null

  constructor(
    private readonly stallMs = STALL_MS,
    private readonly tickMs = TICK_MS,
  ) {}

  /** Watches a connection until it is closed. */
  watch(socket: Socket): void {
    this.#watched.set(socket, { written: 0, queued: 0, since: performance.now() })
    socket.once('close', () => {
      this.#watched.delete(socket)
      if (this.#watched.size === 0 && this.#timer) {
        clearInterval(this.#timer)
        this.#timer = null
      }
    })
    this.#timer ??= setInterval(() => this.#check(performance.now()), this.tickMs).unref()
  }

  #check(now: number): void {
    for (const [socket, progress] of this.#watched) {
      const { writableLength } = socket
      // `bytesWritten` counts what waits, too; the difference has been handed to the system.
      const written = socket.bytesWritten - writableLength
      const queued = queuedIn(socket)
      if (writableLength === 0 || written !== progress.written || queued !== progress.queued) {
        progress.written = written
        progress.queued = queued
        progress.since = now
      } else if (now - progress.since >= this.stallMs) {
        socket.destroy()
      }
    }
  }
}

/**
 * What is left of the chunk that the system is taking: it shrinks while a large one goes out, which `bytesWritten`
 * only shows at its end. Node's own time-out of sockets looks there too.
 */
function queuedIn(socket: Socket): number {
  return (socket as unknown as { _handle?: { writeQueueSize?: number } })._handle?.writeQueueSize ?? 0
}
