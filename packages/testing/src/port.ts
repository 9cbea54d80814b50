import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports of outgoing connections, so that none of them takes a port while its server is down. */
const PORTS = { first: 20_000, end: 32_000 }

let next = randomInt(PORTS.first, PORTS.end)

/**
 * Returns the first of this many consecutive free ports. Each call continues after the ports of the last one, because
 * the servers of earlier calls may be down at this moment.
 */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = next + count <= PORTS.end ? next : PORTS.first
    next = first + count
    const ports = Array.from({ length: count }, (_, index) => isFree(first + index))
    if ((await Promise.all(ports)).every(Boolean)) return first
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
