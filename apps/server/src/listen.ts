import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The backlog of connections. With Node's 511, some of many reconnecting clients would retry for seconds. */
const BACKLOG = 4_096

/** Listens; resolves to the port. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, BACKLOG, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
