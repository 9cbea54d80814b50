import { once } from 'node:events'
import type { Server } from 'node:net'

/** Listens on any free port of this machine, and gives the address. */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('listens on no port')
  return `http://127.0.0.1:${address.port}`
}
