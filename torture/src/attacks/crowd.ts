import type { Socket } from 'node:net'

/** Keeps connections unchanged until the attack is over. */
export function crowd(count: number, open: (n: number) => Socket): () => void {
  const sockets = Array.from({ length: count }, (_, n) => open(n))
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}
