import type pg from 'pg'
import { BinaryClient, ByteClient } from './byte-client.js'
import { type ConnectionOptions, clientConfig, sessionOptions } from './connection.js'
import { DatabasePool } from './pool.js'
import type { PrimaryWatch } from './primary-watch.js'
import type { Timeouts } from './timeouts.js'

/**
 * The connection pools of a server, one for each kind of work so that none starves another. Connections open on demand.
 */
export interface Pools {
  /** Authentication, revocation checks, and probes of the database. */
  readonly callers: DatabasePool
  /** Reads and changes of rows, and appends of events. */
  readonly requests: DatabasePool
  /** Pages of histories, as byte strings. */
  readonly pages: DatabasePool
  /** Searches, digests, batches, bytes of files, and the background work of the server. */
  readonly long: DatabasePool
}

/** The shares of the connections; each pool has at least one. */
const PARTS: Readonly<Record<keyof Pools, number>> = { callers: 2, requests: 9, pages: 3, long: 6 }
const ALL_PARTS = Object.values(PARTS).reduce((sum, part) => sum + part)

/** Creates pools, each with its size and statement timeout. */
export type OpenPool = ReturnType<typeof poolOpener>

export function poolOpener(
  connection: ConnectionOptions,
  timeouts: Timeouts,
  watch: PrimaryWatch,
  onLost: (error: Error) => void,
) {
  const { connectionMs, lockMs, silenceMs, briefMs } = timeouts
  return (max: number, statementMs: number, Client?: typeof pg.Client): DatabasePool => {
    const pool = new DatabasePool({
      ...clientConfig(connection, connectionMs),
      options: `${sessionOptions(connection)} -c lock_timeout=${lockMs} -c statement_timeout=${statementMs}`,
      answerMs: statementMs + silenceMs,
      connectionTimeoutMillis: connectionMs,
      briefMs,
      max,
      onNotPrimary: () => watch.missed(),
      ...(Client && { Client }),
    })
    // The queries of a lost connection fail. Without a listener, the error would also end this process.
    pool.on('connect', (client) => {
      client.on('error', () => {})
      watch.found()
    })
    // The next request replaces a lost idle connection. Without a listener, the error would end this process.
    pool.on('error', (error: Error & { client?: unknown }) => {
      // A closed pool does not wait for its connections, so a stopping database may end them first.
      if (pool.ending) return
      // The pool adds the connection object, which does not belong in a log.
      delete error.client
      onLost(error)
    })
    return pool
  }
}

export function openPools(open: OpenPool, total: number, { lookUpMs, statementMs, longMs }: Timeouts): Pools {
  const share = (kind: keyof Pools) => Math.max(1, Math.floor((total * PARTS[kind]) / ALL_PARTS))
  return {
    callers: open(share('callers'), lookUpMs),
    requests: open(share('requests'), statementMs),
    pages: open(share('pages'), statementMs, ByteClient),
    long: open(share('long'), longMs, BinaryClient),
  }
}

export const closePools = (pools: Pools) =>
  Promise.all(Object.values<DatabasePool>({ ...pools }).map((pool) => pool.end()))

/** The numbers of open and idle connections, and of waiting requests. */
export function useOf(pools: Pools): { readonly open: number; readonly idle: number; readonly waiting: number } {
  const sum = (count: (pool: DatabasePool) => number) =>
    Object.values<DatabasePool>({ ...pools }).reduce((total, pool) => total + count(pool), 0)
  return {
    open: sum(({ totalCount }) => totalCount),
    idle: sum(({ idleCount }) => idleCount),
    waiting: sum(({ waitingCount }) => waitingCount),
  }
}

export type Capacity = ReturnType<typeof capacityOf>

/** The capacity for requests: the size of each pool, and the timeouts. */
export function capacityOf({ requests, pages, long }: Pools, { turnMs, longTurnMs }: Timeouts) {
  const shareOf = ({ options: { max }, outage }: DatabasePool) => ({
    connections: max,
    /** Whether an outage was found since the given `performance.now()` time. */
    isStale: (since: number) => outage.hasCut(since),
  })
  return { requests: shareOf(requests), pages: shareOf(pages), long: shareOf(long), turnMs, longTurnMs }
}
