import type { ErasureRecord } from '@collab-spaces/db'
import { PAGES } from '@collab-spaces/domain'
import { requireMigrated, type Scrub, scrub, scrubSize } from '@collab-spaces/operator'
import type { Command } from 'commander'
import { parseLimit } from '../arguments.js'
import { type CommandContext, type ConfirmedFlags, type OutputFlags, requireYes, YES_FLAG } from '../context.js'
import { print, table } from '../output.js'
import { counted, grouped, progressTo } from '../progress.js'

export function erasureCommands(erasure: Command, context: CommandContext): void {
  listCommand(erasure, context)
  scrubCommand(erasure, context)
}

const SCRUBBING = `
PostgreSQL marks what is redacted or deleted, and leaves it in its files until it needs the room. This rewrites the
tables without it, and overwrites the write-ahead log where it may: that of the embedded PostgreSQL.

It refuses while a transaction is open that may still read what was erased, such as a backup. Servers may run, and
requests wait or fail while their table is rewritten. If it is interrupted, run it again: a table is rewritten as a
whole, or not at all.

It does not reach earlier backups and exports, replicas and archives of the write-ahead log, and blocks that the disk
no longer uses.`

function scrubCommand(erasure: Command, context: CommandContext): void {
  const { withConnection, note, signal } = context
  erasure
    .command('scrub')
    .description('Rewrite the files of the database without what was erased')
    .addHelpText('after', SCRUBBING)
    .option(...YES_FLAG)
    .action((flags: ConfirmedFlags) =>
      withConnection(async (connection) => {
        await requireMigrated(connection)
        const { total, largest } = await scrubSize(connection)
        requireYes(
          flags,
          `This rewrites ${megabytes(total)}, locks each table meanwhile, and needs up to ${megabytes(largest)} of free disk.`,
        )
        const done = await scrub(connection, progressTo(note), signal)
        const { tables, before, after, wal } = done
        const value = { tables, bytes_before: before, bytes_after: after, write_ahead_log: wal }
        const line = `Rewrote ${counted(tables, 'table')}: ${megabytes(before)} before, ${megabytes(after)} now.`
        print(context, flags, value, [line, WAL[wal], REST])
      }),
    )
}

const WAL: Readonly<Record<Scrub['wal'], string>> = {
  overwritten: 'Overwrote the write-ahead log.',
  archived: 'The write-ahead log and its archive still have what was erased: they are yours to expire.',
  kept: 'The write-ahead log still has what was erased: wal_keep_size or a replication slot keeps it.',
  not_permitted:
    'The write-ahead log still has what was erased until PostgreSQL reuses it: its role may not overwrite it.',
}

const REST = 'Earlier backups and exports still have it, and so have replicas until they have caught up.'

const megabytes = (bytes: number) => `${grouped(Math.ceil(bytes / 1024 / 1024))} MB`

function listCommand(erasure: Command, context: CommandContext): void {
  erasure
    .command('list')
    .description('List deletions and redactions with their requesters, newest first')
    .option('--limit <n>', 'number of entries', parseLimit, PAGES.audit.default)
    .action(({ limit, ...flags }: OutputFlags & { readonly limit: number }) =>
      context.withDatabase(async ({ erasures }) => {
        const all = await erasures.list(limit)
        const heading = ['TIME', 'DONE', 'TENANT', 'SPACE', 'WHAT', 'EVENTS', 'ASKED BY', 'REASON']
        print(context, flags, all.map(present), table(heading, all.map(row)))
      }),
    )
}

const present = (erasure: ErasureRecord) => ({
  tenant_id: erasure.tenantId,
  space_id: erasure.spaceId,
  event_id: erasure.noun === 'event' ? erasure.subjectId : null,
  redacted: erasure.noun,
  subject_id: erasure.subjectId,
  events: erasure.events,
  requested_by: erasure.requestedBy,
  reason: erasure.reason,
  started_at: erasure.startedAt.toISOString(),
  completed_at: erasure.completedAt?.toISOString() ?? null,
})

const whatOf = ({ noun, subjectId }: ErasureRecord) => {
  if (noun === null) return 'all'
  return noun === 'events' ? `events up to ${subjectId}` : `${noun} ${subjectId}`
}

const row = (erasure: ErasureRecord) => [
  erasure.startedAt.toISOString(),
  erasure.completedAt ? 'yes' : 'no',
  erasure.tenantId,
  erasure.spaceId,
  whatOf(erasure),
  String(erasure.events),
  erasure.requestedBy,
  erasure.reason ?? '-',
]
