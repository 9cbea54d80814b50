import type { Socket } from 'node:net'

/** How long a client whose connection is to be closed has to take the answer. */
const LINGER_MS = 2_000

/**
 * Closes a connection on which nothing is read any more. Node only ends our half, and somebody who never ends the other
 * would keep it for ever, out of reach of every time-out. At once, though, the answer might be lost with what is still on
 * its way to us.
 */
export function closeSoon(socket: Socket): void {
  const overdue = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(overdue))
}
