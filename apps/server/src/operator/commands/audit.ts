import { presentAuditEntry } from '@collab-spaces/api'
import type { AuditRecord, Database } from '@collab-spaces/db'
import { isUuid, PAGES, unknown } from '@collab-spaces/domain'
import type { Command } from 'commander'
import { type CommandContext, JSON_FLAG, type OutputFlags } from '../context.js'
import { parseLimit } from '../limit.js'
import { print, table } from '../output.js'
import { requireScope } from '../scope.js'

interface Flags extends OutputFlags {
  readonly tenant?: string
  readonly limit: number
  readonly before?: string
}

export function auditCommands(audit: Command, context: CommandContext): void {
  audit
    .command('list')
    .description('List what was done by whom, newest first')
    .option('--tenant <tenant-id>', 'only this tenant, or the shared default scope by its id')
    .option('--limit <n>', 'number of entries', parseLimit, PAGES.audit.default)
    .option('--before <entry-id>', 'entries before this one')
    .option(...JSON_FLAG)
    .action(({ tenant, limit, before, ...flags }: Flags) =>
      context.withDatabase(async (database) => {
        const entries = await listed(database, tenant, { limit, before: before ?? null })
        const heading = ['TIME', 'ACTION', 'SUBJECT', 'ACTOR', 'CREDENTIAL', 'ADDRESS', 'ENTRY']
        print(context, flags, entries.map(presentAuditEntry), table(heading, entries.map(row)))
      }),
    )
}

async function listed(
  database: Database,
  tenant: string | undefined,
  page: { readonly limit: number; readonly before: string | null },
): Promise<AuditRecord[]> {
  const scope = tenant === undefined ? null : await requireScope(database, tenant)
  const isMalformed = page.before !== null && !isUuid(page.before)
  const entries = isMalformed ? null : await database.audit.list(scope, page)
  if (!entries) throw unknown('Entry')
  return entries
}

const row = (entry: AuditRecord) => [
  entry.createdAt.toISOString(),
  entry.action,
  entry.subjectId,
  entry.actorId ?? '-',
  entry.credentialId ?? '-',
  entry.address ?? '-',
  entry.entryId,
]
