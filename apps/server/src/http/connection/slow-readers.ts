import type { Socket } from 'node:net'

/** How long a reader may take nothing; as long again for each MiB that waits, of which less is not seen to be taken. */
const STALL_MS = 15_000
const MEBIBYTE = 1_048_576
/** How many bytes may wait for all readers together. */
const MAX_UNSENT = 32 * MEBIBYTE
/** Short, as many readers can ask for much at once. */
const TICK_MS = 100

export interface ReaderLimits {
  readonly stallMs?: number
  readonly maxUnsentBytes?: number
  readonly tickMs?: number
}

/** The bytes that a reader had taken when it last took some, and the tick of that. */
interface Progress {
  readonly taken: number
  readonly tick: number
}

/**
 * Cuts off readers that do not read. Writers wait for them, so no more than one piece lies before a socket, but each
 * holds that and a connection for as long as it likes; a live client comes back with its cursor. One that is only slow
 * is left in peace, unless all pieces together are too much for this process.
 */
export class SlowReaders {
  /** Readers with unsent bytes. The one that has taken nothing for longest comes first. */
  readonly #waiting = new Map<Socket, Progress>()
  readonly #stallTicks: number
  readonly #maxUnsentBytes: number
  readonly #timer: NodeJS.Timeout
  /** While this process was held up itself, readers could show no progress, and nothing ticked. */
  #tick = 0

  constructor(
    private readonly sockets: Iterable<Socket>,
    { stallMs = STALL_MS, maxUnsentBytes = MAX_UNSENT, tickMs = TICK_MS }: ReaderLimits,
  ) {
    this.#stallTicks = stallMs / tickMs
    this.#maxUnsentBytes = maxUnsentBytes
    this.#timer = setInterval(() => this.#look(), tickMs).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    this.#tick++
    for (const socket of this.#waiting.keys()) if (socket.destroyed) this.#waiting.delete(socket)
    for (const socket of this.sockets) this.#lookAt(socket)
    this.#relieve()
  }

  #lookAt(socket: Socket): void {
    if (socket.writableLength === 0) {
      this.#waiting.delete(socket)
      return
    }
    // `bytesWritten` counts what waits, too; the difference has been handed to the system.
    const taken = socket.bytesWritten - socket.writableLength
    const progress = this.#waiting.get(socket)
    if (progress?.taken !== taken) {
      this.#waiting.delete(socket)
      this.#waiting.set(socket, { taken, tick: this.#tick })
    } else if (this.#tick - progress.tick >= this.#stallTicks * (1 + socket.writableLength / MEBIBYTE)) {
      socket.destroy()
    }
  }

  /** Cuts off those that have made no progress for longest, until what waits for the others is not too much. */
  #relieve(): void {
    const bytesOf = unsentBytes(this.#waiting.keys())
    let total = [...bytesOf.values()].reduce((sum, bytes) => sum + bytes, 0)
    for (const [socket, bytes] of bytesOf) {
      if (total <= this.#maxUnsentBytes) return
      socket.destroy()
      total -= bytes
    }
  }
}

/** The last chunk written to a socket, where others are given the same bytes. */
const sharedWrites = new WeakMap<Socket, Buffer>()

/** Writes what was made once for many readers, and so is counted once, too. False when the reader should be waited for. */
export function writeShared(socket: Socket, bytes: Buffer): boolean {
  sharedWrites.set(socket, bytes)
  return socket.write(bytes)
}

/** The bytes that lie in this process for each of some sockets. Bytes that they share are divided among them. */
function unsentBytes(sockets: Iterable<Socket>): Map<Socket, number> {
  const waiting = [...sockets]
  const readers = new Map<Buffer, number>()
  for (const socket of waiting) {
    const shared = sharedWrites.get(socket)
    if (shared) readers.set(shared, (readers.get(shared) ?? 0) + 1)
  }
  return new Map(
    waiting.map((socket) => {
      const shared = sharedWrites.get(socket)
      return [socket, shared ? shared.length / (readers.get(shared) ?? 1) : socket.writableLength]
    }),
  )
}
