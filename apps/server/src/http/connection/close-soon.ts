import type { Socket } from 'node:net'

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
