import type pg from 'pg'
import { ByteClient } from './client.js'
import { type ConnectionOptions, clientConfig, sessionOptions } from './connection.js'
import { ImpatientPool } from './impatient-pool.js'
import type { Patience } from './patience.js'

/**
 * The connections of a server, divided so that no kind of work can take those of another. All are opened when they are
 * needed.
 */
export interface Pools {
  /** Who a caller is, what has been revoked, whether the database is there: what everybody waits for. */
  readonly lookUps: ImpatientPool
  /** Reads and writes of single rows. */
  readonly rows: ImpatientPool
  /** Appends to the event log. */
  readonly appends: ImpatientPool
  /** Pieces of histories, as byte strings. */
  readonly pages: ImpatientPool
  /** Work that takes long: searches, digests, batches. */
  readonly heavy: ImpatientPool
  /** What the server looks at by itself, again and again. One connection, as a look that is late is made again. */
  readonly looks: ImpatientPool
}

type Kind = Exclude<keyof Pools, 'looks'>

/** The parts of all connections, which are at least as many as the parts. */
const PARTS: Readonly<Record<Kind, number>> = { lookUps: 2, rows: 5, appends: 5, pages: 3, heavy: 5 }
const ALL_PARTS = Object.values(PARTS).reduce((sum, part) => sum + part)

/** How many connections a pool has at most. */
export const connectionsOf = (kind: Kind, total: number) => Math.max(1, Math.floor((total * PARTS[kind]) / ALL_PARTS))

export function openPools(
  connection: ConnectionOptions,
  total: number,
  patience: Patience,
  onLost: (error: Error) => void,
): Pools {
  const { connectionMs, lockMs, silenceMs, briefMs } = patience
  const open = (max: number, statementMs = patience.statementMs, Client?: typeof pg.Client) => {
    const pool = new ImpatientPool({
      ...clientConfig(connection, connectionMs),
      options: `${sessionOptions(connection)} -c lock_timeout=${lockMs} -c statement_timeout=${statementMs}`,
      silence_timeout: statementMs + silenceMs,
      connectionTimeoutMillis: connectionMs,
      briefMs,
      max,
      ...(Client && { Client }),
    })
    // While it is in use, a connection that is lost tells its queries. Without a listener it would end this process, too.
    pool.on('connect', (client) => client.on('error', () => {}))
    // The next request replaces an idle connection that died. Without a listener that would end this process as well.
    pool.on('error', (error: Error & { client?: unknown }) => {
      // A pool that is closed does not wait for its connections, so a database that stops may end them first.
      if (pool.ending) return
      // The pool adds the whole connection, which is nothing for a log.
      delete error.client
      onLost(error)
    })
    return pool
  }
  const share = (kind: Kind) => connectionsOf(kind, total)
  return {
    lookUps: open(share('lookUps'), patience.lookUpMs),
    rows: open(share('rows')),
    appends: open(share('appends')),
    pages: open(share('pages'), patience.statementMs, ByteClient),
    heavy: open(share('heavy'), patience.heavyMs),
    looks: open(1),
  }
}

export const closePools = (pools: Pools) =>
  Promise.all(Object.values<ImpatientPool>({ ...pools }).map((pool) => pool.end()))

/** Open and idle connections, and requests that wait for one. */
export function useOf(pools: Pools): { readonly open: number; readonly idle: number; readonly waiting: number } {
  const sum = (count: (pool: ImpatientPool) => number) =>
    Object.values<ImpatientPool>({ ...pools }).reduce((total, pool) => total + count(pool), 0)
  return {
    open: sum(({ totalCount }) => totalCount),
    idle: sum(({ idleCount }) => idleCount),
    waiting: sum(({ waitingCount }) => waitingCount),
  }
}
