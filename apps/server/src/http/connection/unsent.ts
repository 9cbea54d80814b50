import type { Socket } from 'node:net'

/** What was last written to a socket, where others are given the same bytes. */
const sharedWrites = new WeakMap<Socket, Buffer>()

/** Writes what was made once for many readers, and so is counted once, too. False when the reader should be waited for. */
export function writeShared(socket: Socket, bytes: Buffer): boolean {
  sharedWrites.set(socket, bytes)
  return socket.write(bytes)
}

/** How many bytes lie in this process for each of some sockets. What they share is divided among them. */
export function unsentBytes(sockets: readonly Socket[]): number[] {
  const readers = new Map<Buffer, number>()
  for (const socket of sockets) {
    const shared = sharedWrites.get(socket)
    if (shared) readers.set(shared, (readers.get(shared) ?? 0) + 1)
  }
  return sockets.map((socket) => {
    const shared = sharedWrites.get(socket)
    // The length of a text is that in characters, of which one can be several bytes.
    return shared ? shared.length / (readers.get(shared) ?? 1) : Math.max(socket.writableLength, queuedBytes(socket))
  })
}

/**
 * What is left of the chunk that the system is taking: it shrinks while a large one goes out, which `bytesWritten`
 * only shows at its end. Node's own time-out of sockets looks there too.
 */
export function queuedBytes(socket: Socket): number {
  return (socket as unknown as { _handle?: { writeQueueSize?: number } })._handle?.writeQueueSize ?? 0
}
