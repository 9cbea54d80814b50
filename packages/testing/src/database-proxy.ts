import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { ConnectionOptions } from '@collab-spaces/db'

/** A database proxy that can cut, block or drop traffic, and restore it. */
export interface DatabaseProxy {
  /** The connection through the proxy. */
  readonly connection: ConnectionOptions
  /** Breaks all connections, and refuses new ones. */
  cut(): Promise<void>
  /** Breaks all connections, and accepts new ones without forwarding them. */
  block(): void
  /** Keeps open connections but drops their traffic; new ones work. Returns the number of affected connections. */
  swallow(which: 'all' | 'listening'): number
  /** Drops only the notifications of open connections. Returns the number of listening connections. */
  deafen(): number
  /** Breaks the connection of the next commit of a transaction that contains this text, once it is done. */
  loseCommitOf(text: string): void
  restore(): Promise<void>
}

/** A client connection, and its connection to the database. */
interface Link {
  readonly near: Socket
  readonly far: Socket | null
  /** Whether it has sent LISTEN. */
  isListening: boolean
  isDeaf: boolean
  isSwallowed: boolean
}

export async function proxyTo(target: ConnectionOptions): Promise<DatabaseProxy> {
  const links = new Set<Link>()
  let blocked = false
  let lost: string | null = null
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
    // A client sends its next query after all previous answers, so the next bytes from the database start a message.
    near.on('data', (bytes) => {
      if (lost !== null && bytes.includes(lost)) {
        lost = null
        loseCommit(near, far)
      }
      if (link.isListening || !bytes.includes('LISTEN ')) return
      link.isListening = true
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
        // Arriving bytes are still read, so that no peer notices a full buffer.
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
    loseCommitOf: (text) => {
      lost = text
    },
    restore: async () => {
      blocked = false
      breakAll()
      if (!server.listening) await listen(port)
    },
  }
}

/** The message types of PostgreSQL's protocol. A message is its type, its length without the type, and the rest. */
const NOTIFICATION = 'A'.charCodeAt(0)
const LENGTH_AT = 1
const HEAD_BYTES = 5

/** Forwards the messages of the database one by one. */
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
  // It was paused when it was unpiped.
  far.resume()
}

/** Breaks a connection instead of forwarding that its next transaction is committed. */
function loseCommit(near: Socket, far: Socket): void {
  far.unpipe(near)
  far.on('data', (bytes) => {
    if (bytes.includes('COMMIT\0')) near.destroy()
    else near.write(bytes)
  })
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
