import type pg from 'pg'
import { ByteClient } from './byte-client.js'
import { type ConnectionOptions, clientConfig, sessionOptions } from './connection.js'
import { DatabasePool } from './pool.js'
import type { PrimaryWatch } from './primary-watch.js'
import type { Timeouts } from './timeouts.js'

/**
 * The connections of a server, divided so that no kind of work can take those of another. All are opened when they are
 * needed.
 */
export interface Pools {
  /** Reads that all requests wait for: authentication, revocations, and probes of the database. */
  readonly callers: DatabasePool
  /** Reads and changes of rows, and appends of events. */
  readonly requests: DatabasePool
  /** Pieces of histories, as byte strings. */
  readonly pages: DatabasePool
  /** Work that takes long: searches, digests, batches. And what the server looks at by itself, again and again. */
  readonly long: DatabasePool
}

/** The parts of all connections, which are at least as many as the parts. */
const PARTS: Readonly<Record<keyof Pools, number>> = { callers: 2, requests: 9, pages: 3, long: 6 }
const ALL_PARTS = Object.values(PARTS).reduce((sum, part) => sum + part)

/** Opens pools of one kind after the other: each with its number of connections and the timeout of its statements. */
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
    // While it is in use, a connection that is lost tells its queries. Without a listener it would end this process, too.
    pool.on('connect', (client) => {
      client.on('error', () => {})
      watch.found()
    })
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
}

export function openPools(open: OpenPool, total: number, { lookUpMs, statementMs, longMs }: Timeouts): Pools {
  const share = (kind: keyof Pools) => Math.max(1, Math.floor((total * PARTS[kind]) / ALL_PARTS))
  return {
    callers: open(share('callers'), lookUpMs),
    requests: open(share('requests'), statementMs),
    pages: open(share('pages'), statementMs, ByteClient),
    long: open(share('long'), longMs),
  }
}

export const closePools = (pools: Pools) =>
  Promise.all(Object.values<DatabasePool>({ ...pools }).map((pool) => pool.end()))

/** Open and idle connections, and requests that wait for one. */
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

/** The capacity that requests share: the connections of each pool, and how long they wait for their share. */
export function capacityOf({ requests, pages, long }: Pools, { turnMs, longTurnMs }: Timeouts) {
  const shareOf = ({ options: { max }, outage }: DatabasePool) => ({
    connections: max,
    /** Whether the database was found silent after a wait had begun, by `performance.now()`. */
    isStale: (since: number) => outage.hasCut(since),
  })
  return { requests: shareOf(requests), pages: shareOf(pages), long: shareOf(long), turnMs, longTurnMs }
}
