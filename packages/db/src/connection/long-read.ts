import { setTimeout as delay } from 'node:timers/promises'
import { tooCostly } from '@collab-spaces/domain'
import type pg from 'pg'
import { hasTimedOut } from './fault.js'
import type { Pools } from './pools.js'

/**
 * The timeout of a cancellation. A late one would cancel a statement of the next user of the connection, so the connection
 * is not reused after it.
 */
const CANCELLED_MS = 100

/** The interface of a connection for long reads. */
export type Querier = Pick<pg.ClientBase, 'query'>

/**
 * Runs long reads on a dedicated connection. An abort of the signal cancels the running statement and prevents further
 * ones.
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
    // A new connection takes longer than most searches, so this one is reused if possible.
    client.release(!(await isUsable))
  }
}

/** Cancels the running statement of a connection. False if that failed. */
async function cancelProcess(callers: pg.Pool, pid: number): Promise<boolean> {
  try {
    await callers.query('SELECT pg_cancel_backend($1)', [pid])
    return true
  } catch {
    return false
  }
}

const processes = new WeakMap<pg.PoolClient, number>()

/** The process ID of a connection's backend, read once. */
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
