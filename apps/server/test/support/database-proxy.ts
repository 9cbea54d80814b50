import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { ConnectionOptions } from '@collab-spaces/db'
import type { TestDatabase } from '@collab-spaces/testing'
import { afterAll, beforeAll } from 'vitest'

/** A proxy in front of a database, which a test can cut, block and restore. */
export interface DatabaseProxy extends TestDatabase {
  /** Connections break, and new ones are refused. */
  cut(): Promise<void>
  /** Connections break, and new ones are taken but lead nowhere. */
  block(): void
  restore(): Promise<void>
}

/** For all tests of a file. Use within `describe` or at the top of a file. */
export function useDatabaseProxy(database: TestDatabase): DatabaseProxy {
  const proxy = {} as DatabaseProxy
  beforeAll(async () => {
    Object.assign(proxy, await proxyTo(database.connection))
  })
  afterAll(() => proxy.cut())
  return proxy
}

async function proxyTo(target: ConnectionOptions): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>()
  let blocked = false
  const server = createServer((near) => {
    const far = blocked ? null : connect(addressOf(target))
    for (const socket of [near, far]) {
      if (!socket) continue
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        near.destroy()
        far?.destroy()
      })
    }
    if (far) near.pipe(far).pipe(near)
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    connection: throughPort(target, port),
    cut: () =>
      new Promise((resolve) => {
        if (!server.listening) return resolve()
        server.close(() => resolve())
        breakAll()
      }),
    block: () => {
      blocked = true
      breakAll()
    },
    restore: async () => {
      blocked = false
      breakAll()
      if (!server.listening) await listen(port)
    },
  }
}

function addressOf(connection: ConnectionOptions) {
  if ('connectionString' in connection) {
    const { hostname: host, port } = new URL(connection.connectionString)
    return { host, port: Number(port || 5432) }
  }
  const { host, port } = connection
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}

function throughPort(connection: ConnectionOptions, port: number): ConnectionOptions {
  if (!('connectionString' in connection)) return { ...connection, host: '127.0.0.1', port }
  const url = new URL(connection.connectionString)
  url.host = `127.0.0.1:${port}`
  return { connectionString: url.href }
}
