import type { ServerResponse } from 'node:http'

const TICK_MS = 1_000
/** How long a reader may take nothing at all from its socket. */
const STALL_MS = 15_000
/** How much may lie before the socket. A single batch is a quarter of it. */
const BACKLOG_BYTES = 1024 * 1024

interface Progress {
  taken: number
  since: number
}

/**
 * Cuts off readers that do not read. Writers wait for them, so they cost no growing memory, but each holds a
 * socket and a buffer for as long as it likes; a live client comes back with its cursor.
 */
export class SlowReaders {
  readonly #watched = new Map<ServerResponse, Progress>()
  #timer: NodeJS.Timeout | null = null

  /** Watches an answer until it is closed. */
  watch(response: ServerResponse): void {
    this.#watched.set(response, { taken: -1, since: Date.now() })
    response.once('close', () => {
      this.#watched.delete(response)
      if (this.#watched.size === 0 && this.#timer) {
        clearInterval(this.#timer)
        this.#timer = null
      }
    })
    this.#timer ??= setInterval(() => this.#check(Date.now()), TICK_MS).unref()
  }

  #check(now: number): void {
    for (const [response, progress] of this.#watched) {
      const { socket } = response
      if (!socket) continue
      // `bytesWritten` counts what waits, too; the difference has been handed to the system.
      const taken = socket.bytesWritten - socket.writableLength
      if (taken !== progress.taken || !response.writableNeedDrain) {
        progress.taken = taken
        progress.since = now
      }
      if (now - progress.since >= STALL_MS || socket.writableLength > BACKLOG_BYTES) response.destroy()
    }
  }
}
