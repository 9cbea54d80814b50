import type { Socket } from 'node:net'

/** How long a reader may stall; the same again per unsent MiB, below which progress is not visible. */
const STALL_MS = 15_000
const MEBIBYTE = 1_048_576
/** The maximum number of unsent bytes of all readers. */
const MAX_UNSENT = 32 * MEBIBYTE
/** Short, as many readers can request much at once. */
const TICK_MS = 100

export interface ReaderLimits {
  readonly stallMs?: number
  readonly maxUnsentBytes?: number
  readonly tickMs?: number
}

/** The bytes a reader had taken at its last progress, and the tick of that. */
interface Progress {
  readonly taken: number
  readonly tick: number
}

/**
 * Closes connections of readers that do not read. Writers wait for them, so at most one piece is unsent per socket, but a
 * stalled reader would hold it and its connection indefinitely; a live client reconnects with its cursor. A merely slow one
 * is closed only if all unsent bytes exceed the limit.
 */
export class SlowReaders {
  /** Readers with unsent bytes, the longest stalled first. */
  readonly #waiting = new Map<Socket, Progress>()
  readonly #stallTicks: number
  readonly #maxUnsentBytes: number
  readonly #timer: NodeJS.Timeout
  /** Counts ticks instead of time, as readers cannot progress while this process is blocked. */
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
      if (this.#waiting.delete(socket)) sharedWrites.delete(socket)
      return
    }
    // `bytesWritten` includes unsent bytes; the difference was passed to the kernel.
    const taken = socket.bytesWritten - socket.writableLength
    const progress = this.#waiting.get(socket)
    if (progress?.taken !== taken) {
      this.#waiting.delete(socket)
      this.#waiting.set(socket, { taken, tick: this.#tick })
    } else if (this.#tick - progress.tick >= this.#stallTicks * (1 + socket.writableLength / MEBIBYTE)) {
      socket.destroy()
    }
  }

  /** Closes the longest stalled readers until the unsent bytes are within the limit. */
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

/** The shared buffer of which a socket has bytes left to send. */
const sharedWrites = new WeakMap<Socket, Buffer>()

/** Writes a buffer shared by many readers, which counts once. Returns false under back-pressure. */
export function writeShared(socket: Socket, bytes: Buffer): boolean {
  const canTakeMore = socket.write(bytes)
  // An entry would keep the buffer for as long as the socket lives. Most are sent at once.
  if (socket.writableLength > 0) sharedWrites.set(socket, bytes)
  return canTakeMore
}

/** Returns the unsent bytes of each socket. Shared bytes are divided among them. */
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

/** How long a client has to read the response before its connection is closed. */
const LINGER_MS = 2_000

/**
 * Closes a connection that is no longer read. Node only ends its own half, and a client that never ends the other half would
 * keep the connection forever, beyond every timeout. Closing at once could discard the response.
 */
export function closeSoon(socket: Socket): void {
  const overdue = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(overdue))
}
