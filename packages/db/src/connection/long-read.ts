import { setTimeout as delay } from 'node:timers/promises'
import { tooCostly } from '@collab-spaces/domain'
import type pg from 'pg'
import { hasTimedOut } from './fault.js'
import type { Pools } from './pools.js'

/**
 * How long a connection waits for its cancellation. One that has come hits nothing but what is under way, but one that is
 * late would hit the next user of the connection.
 */
const CANCELLED_MS = 100

/** A connection as the work sees it. */
export type Querier = Pick<pg.ClientBase, 'query'>

/**
 * Work that takes the database long, on a connection of its own. When the signal is aborted, what is under way is cancelled
 * and nothing else is begun.
 */
export async function longRead<T>(
  { long, callers }: Pick<Pools, 'long' | 'callers'>,
  signal: AbortSignal,
  work: (connection: Querier) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const client = await long.connect()
  let isUsable = Promise.resolve(true)
  const pid = await processOf(client)
  const cancel = () => {
    isUsable = Promise.race([cancelProcess(callers, pid), delay(CANCELLED_MS, false, { ref: false })])
  }
  signal.addEventListener('abort', cancel)
  const query = (...args: unknown[]) => {
    if (signal.aborted) return Promise.reject(signal.reason)
    return (client.query as (...args: unknown[]) => unknown).apply(client, args)
  }
  try {
    return await work({ query: query as Querier['query'] })
  } catch (error) {
    if (!hasTimedOut(error)) throw error
    throw signal.aborted ? signal.reason : tooCostly()
  } finally {
    signal.removeEventListener('abort', cancel)
    // A new connection takes longer than most searches, so one is kept if it may be.
    client.release(!(await isUsable))
  }
}

/** Cancels what is under way on a connection. False when that was not possible. */
async function cancelProcess(callers: pg.Pool, pid: number): Promise<boolean> {
  try {
    await callers.query('SELECT pg_cancel_backend($1)', [pid])
    return true
  } catch {
    return false
  }
}

const processes = new WeakMap<pg.PoolClient, number>()

/** PostgreSQL's process of a connection, which is asked once. */
async function processOf(client: pg.PoolClient): Promise<number> {
  const known = processes.get(client)
  if (known !== undefined) return known
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const { pid } = rows[0] as { pid: number }
    processes.set(client, pid)
    return pid
  } catch (error) {
    client.release(true)
    throw error
  }
}
