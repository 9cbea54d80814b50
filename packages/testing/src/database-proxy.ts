import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { ConnectionOptions } from '@collab-spaces/db'

/** A proxy in front of a database, which can be cut, blocked, made to swallow and restored. */
export interface DatabaseProxy {
  /** The database as it is reached through the proxy. */
  readonly connection: ConnectionOptions
  /** Connections break, and new ones are refused. */
  cut(): Promise<void>
  /** Connections break, and new ones are taken but lead nowhere. */
  block(): void
  /** Open connections stay open, but nothing passes any more; new ones work. How many it were. */
  swallow(which: 'all' | 'listening'): number
  /** Open connections lose the notifications for them, and nothing else. How many it were that listened. */
  deafen(): number
  restore(): Promise<void>
}

/** A connection of a client, and the one to the database that belongs to it. */
interface Link {
  readonly near: Socket
  readonly far: Socket | null
  /** Whether it has asked for notifications. */
  isListening: boolean
  isDeaf: boolean
  isSwallowed: boolean
}

export async function proxyTo(target: ConnectionOptions): Promise<DatabaseProxy> {
  const links = new Set<Link>()
  let blocked = false
  const server = createServer((near) => {
    const far = blocked ? null : connect(addressOf(target))
    const link: Link = { near, far, isListening: false, isDeaf: false, isSwallowed: false }
    links.add(link)
    for (const socket of [near, far]) {
      socket?.on('error', () => {})
      socket?.once('close', () => {
        links.delete(link)
        near.destroy()
        far?.destroy()
      })
    }
    if (!far) return
    near.on('data', (bytes) => {
      if (link.isListening || !bytes.includes('LISTEN ')) return
      link.isListening = true
      // A client that asks has had all answers before, so the next bytes from the database begin a message.
      far.unpipe(near)
      passMessages(link, far)
    })
    near.pipe(far).pipe(near)
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const breakAll = () => {
    for (const { near } of links) near.destroy()
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
    swallow: (which) => {
      const swallowed = [...links].filter(({ isListening }) => which === 'all' || isListening)
      for (const link of swallowed) {
        const { near, far } = link
        link.isSwallowed = true
        // Bytes that arrive are still read, so that no peer notices a full buffer.
        if (far) near.unpipe(far).resume()
        far?.unpipe(near).resume()
      }
      return swallowed.length
    },
    deafen: () => {
      const deaf = [...links].filter(({ isListening }) => isListening)
      for (const link of deaf) link.isDeaf = true
      return deaf.length
    },
    restore: async () => {
      blocked = false
      breakAll()
      if (!server.listening) await listen(port)
    },
  }
}

/** As PostgreSQL's protocol names it. A message is its kind, its length without the kind, and the rest. */
const NOTIFICATION = 'A'.charCodeAt(0)
const LENGTH_AT = 1
const HEAD_BYTES = 5

/** Passes on what the database says, message by message. */
function passMessages(link: Link, far: Socket): void {
  let rest = Buffer.alloc(0)
  far.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= HEAD_BYTES) {
      const end = LENGTH_AT + rest.readInt32BE(LENGTH_AT)
      if (rest.length < end) break
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      if (!link.isSwallowed && !(link.isDeaf && message[0] === NOTIFICATION)) link.near.write(message)
    }
  })
  // It was paused when its pipe was taken away.
  far.resume()
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
