import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Connections that wait to be taken. Of a crowd that comes back at once, Node's 511 would make some try for seconds. */
const BACKLOG = 4_096

/** Listens, and resolves to the port. Rejects when it cannot. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, BACKLOG, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
