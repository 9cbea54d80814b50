import { setTimeout } from 'node:timers/promises'
import { type ConnectionOptions, inTransaction, recordOfOperator } from '@collab-spaces/db'
import { INSTALLATION } from '@collab-spaces/domain'
import type pg from 'pg'
import type { NoticeMessage } from 'pg-protocol/dist/messages.js'
import type { Progress } from '../backup/backup.js'
import { OperatorError } from '../session/operator-error.js'
import { ERASABLE_TABLES } from './catalogue.js'
import { withOwner } from './session.js'

const LOCK_NOT_AVAILABLE = '55P03'
/** A short lock timeout, because requests queue behind a pending lock. */
const LOCK_TIMEOUT_MS = 2_000
const MAX_LOCK_TRIES = 15
/** The maximum duration of a transaction of a server. */
const MAX_TRANSACTION_MS = 15_000
const RETRY_INTERVAL_MS = 1_000

/** The outcome of a scrub. Sizes are in bytes, with indexes. */
export interface Scrub {
  readonly tables: number
  readonly before: number
  readonly after: number
  /** Whether the write-ahead log was overwritten, or the reason why not. */
  readonly wal: 'overwritten' | 'archived' | 'kept' | 'not_permitted'
}

/** The size of the tables that a scrub rewrites, in bytes. It needs free disk space for the largest one. */
export interface ScrubSize {
  readonly total: number
  readonly largest: number
}

const SIZES = `
  SELECT sum(pg_total_relation_size(name::regclass))::float8 AS total,
    max(pg_total_relation_size(name::regclass))::float8 AS largest
  FROM unnest($1::text[]) AS name`

export const scrubSize = (connection: ConnectionOptions): Promise<ScrubSize> => withOwner(connection, sizeOf)

async function sizeOf(client: pg.Client): Promise<ScrubSize> {
  const { rows } = await client.query<ScrubSize>(SIZES, [ERASABLE_TABLES])
  return rows[0] ?? { total: 0, largest: 0 }
}

/**
 * Rewrites the files of the database without erased data: otherwise, redacted and deleted rows stay there until
 * PostgreSQL reuses the space. Each table is locked during its rewrite, and unchanged after an interruption; another call
 * starts again. Rejects while an open transaction may still see erased data, such as a backup.
 */
export async function scrub(connection: ConnectionOptions, progress: Progress, signal: AbortSignal): Promise<Scrub> {
  return withOwner(connection, async (client) => {
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await waitForOldSnapshots(client, signal)
    const before = await sizeOf(client)
    for (const [index, table] of (await smallestFirst(client)).entries()) {
      await rewrite(client, table, signal)
      progress('tables', index + 1)
    }
    const after = await sizeOf(client)
    const wal = await overwriteWal(client, progress, signal)
    const tables = ERASABLE_TABLES.length
    await inTransaction(client, () =>
      recordOfOperator(client, INSTALLATION, 'erasures.scrubbed', 'erasures', { tables, wal }),
    )
    return { tables, before: before.total, after: after.total, wal }
  })
}

/** The largest tables come last: after an interruption, only they take long again. */
async function smallestFirst(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM unnest($1::text[]) AS name ORDER BY pg_total_relation_size(name::regclass), name',
    [ERASABLE_TABLES],
  )
  return rows.map(({ name }) => name)
}

/**
 * Waits until no snapshot can see the rows deleted so far, because a rewrite keeps such rows. PostgreSQL reports any such
 * row, so this creates one in a table that servers use only at their start.
 */
async function waitForOldSnapshots(client: pg.Client, signal: AbortSignal): Promise<void> {
  await client.query('UPDATE _prisma_migrations SET migration_name = migration_name')
  const latest = performance.now() + MAX_TRANSACTION_MS
  while ((await rewrite(client, '_prisma_migrations', signal)) > 0) {
    if (performance.now() > latest) {
      throw new OperatorError(
        'A transaction is open that may still read what was erased, such as that of a backup: end it, and run this again',
      )
    }
    await setTimeout(RETRY_INTERVAL_MS, undefined, { signal })
  }
}

/** Rewrites a table and its indexes. Returns the number of deleted rows that it had to keep. */
async function rewrite(client: pg.Client, table: string, signal: AbortSignal): Promise<number> {
  let kept = 0
  // The detail of this notice begins with the number, in every language.
  const onNotice = ({ detail }: NoticeMessage) => {
    kept += Number(/\d+/.exec(detail ?? '')?.[0] ?? 0)
  }
  client.on('notice', onNotice)
  try {
    await withRetries(signal, () => client.query(`VACUUM (FULL, VERBOSE) ${client.escapeIdentifier(table)}`), table)
  } finally {
    client.off('notice', onNotice)
  }
  return kept
}

async function withRetries(signal: AbortSignal, work: () => Promise<unknown>, table: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted()
    try {
      await work()
      return
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error
      if (tries === MAX_LOCK_TRIES) throw new OperatorError(`The table ${table} is in use: run this again later`)
      await setTimeout(RETRY_INTERVAL_MS, undefined, { signal })
    }
  }
}

const WAL = `
  SELECT current_setting('archive_mode') <> 'off' AS "isArchived",
    current_setting('wal_keep_size') <> '0' OR EXISTS (
      SELECT FROM pg_replication_slots WHERE restart_lsn IS NOT NULL) AS "isKept",
    pg_has_role('pg_checkpoint', 'USAGE') AND has_function_privilege('pg_ls_waldir()', 'EXECUTE') AS "mayOverwrite"`

const NEWEST_SEGMENT = `SELECT max(name) AS newest, pg_walfile_name(pg_current_wal_insert_lsn()) AS current
  FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$'`

/** 16 megabytes of spaces, written to the write-ahead log only. */
const FILL = `SELECT pg_logical_emit_message(false, 'spaces', repeat(' ', 1024 * 1024)) FROM generate_series(1, 16)`

/**
 * Overwrites the segments of the write-ahead log. A checkpoint renames old segments for reuse, so this fills the current
 * one first, and all recycled ones after the checkpoint.
 */
async function overwriteWal(client: pg.Client, progress: Progress, signal: AbortSignal): Promise<Scrub['wal']> {
  const { rows } = await client.query<{ isArchived: boolean; isKept: boolean; mayOverwrite: boolean }>(WAL)
  if (!rows[0]?.mayOverwrite) return 'not_permitted'
  if (rows[0].isArchived) return 'archived'
  if (rows[0].isKept) return 'kept'
  await client.query(FILL)
  await client.query('CHECKPOINT')
  const newest = (await segments(client)).newest
  let current = ''
  for (let filled = 1; current <= newest; filled++) {
    signal.throwIfAborted()
    await client.query(FILL)
    current = (await segments(client)).current
    progress('segments of the write-ahead log', filled)
  }
  await client.query('CHECKPOINT')
  return 'overwritten'
}

async function segments(client: pg.Client): Promise<{ readonly newest: string; readonly current: string }> {
  const { rows } = await client.query<{ newest: string; current: string }>(NEWEST_SEGMENT)
  return rows[0] ?? { newest: '', current: '' }
}
