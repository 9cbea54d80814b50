import type { ErasureRecord } from '@collab-spaces/db'
import { PAGES } from '@collab-spaces/domain'
import type { Command } from 'commander'
import type { CommandContext, OutputFlags } from '../context.js'
import { parseLimit } from '../limit.js'
import { print, table } from '../output.js'

export function erasureCommands(erasure: Command, context: CommandContext): void {
  erasure
    .command('list')
    .description('List what was deleted and redacted, when, and who asked for it, newest first')
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
  tenant_id: erasure.scope,
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
  erasure.scope,
  erasure.spaceId,
  whatOf(erasure),
  String(erasure.events),
  erasure.requestedBy,
  erasure.reason ?? '-',
]
