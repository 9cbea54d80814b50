import { once } from 'node:events'
import type { Server } from 'node:net'

/** Listens on a free local port, and returns the address. */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('listens on no port')
  return `http://127.0.0.1:${address.port}`
}
