import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A free port. It is below those that outgoing connections are given, so that none of them takes it
 * while the server that it is meant for is down.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
}

/** The first of so many free ports in a row. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await freePort()
    const others = Array.from({ length: count - 1 }, (_, index) => isFree(first + 1 + index))
    if ((await Promise.all(others)).every(Boolean)) return first
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
