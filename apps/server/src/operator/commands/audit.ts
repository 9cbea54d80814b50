import { presentAuditEntry } from '@collab-spaces/api'
import type { AuditFilter, AuditRecord, Database } from '@collab-spaces/db'
import {
  AUDIT_ACTIONS,
  type AuditAction,
  INSTALLATION,
  PAGES,
  parseTimestamp,
  type TenantId,
} from '@collab-spaces/domain'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseLimit } from '../arguments.js'
import type { CommandContext, OutputFlags } from '../context.js'
import { print, table } from '../output.js'
import { requireTenantId } from '../tenant.js'

interface Flags extends OutputFlags {
  readonly tenant?: string
  readonly installation?: true
  readonly action?: AuditAction
  readonly actor?: string
  readonly subject?: string
  readonly since?: Date
  readonly until?: Date
  readonly limit: number
  readonly before?: string
}

export function auditCommands(audit: Command, context: CommandContext): void {
  audit
    .command('list')
    .description('List the entries of the security log, newest first')
    .addOption(
      new Option('--tenant <tenant-id>', 'only this tenant, or the shared default tenant by its id').conflicts(
        'installation',
      ),
    )
    .option('--installation', 'only entries of the installation, such as backups')
    .addOption(new Option('--action <action>', 'only this').choices(AUDIT_ACTIONS))
    .option('--actor <actor-id>', 'only acts of this actor')
    .option('--subject <id>', 'only acts on this actor, token, space or other ID')
    .option('--since <time>', 'only from this time on, such as 2026-11-21T09:00Z', parseTime)
    .option('--until <time>', 'only up to this time', parseTime)
    .option('--limit <n>', 'number of entries', parseLimit, PAGES.audit.default)
    .option('--before <entry-id>', 'entries before this one')
    .action((flags: Flags) =>
      context.withDatabase(async (database) => {
        const { limit, before = null } = flags
        const page = { ...filterOf(flags), limit, before }
        const entries = await database.audit.list(await tenantIdFor(database, flags), page)
        const heading = ['TIME', 'ACTION', 'SUBJECT', 'ACTOR', 'CREDENTIAL', 'ADDRESS', 'ENTRY', 'DETAILS']
        print(context, flags, entries.map(presentAuditEntry), table(heading, entries.map(row)))
      }),
    )
}

function parseTime(given: string): Date {
  const time = parseTimestamp(given)
  if (time) return time
  throw new InvalidArgumentError('It must be a time in ISO 8601, such as 2026-11-21T09:00Z.')
}

const filterOf = ({ action, actor, subject, since, until }: Flags): AuditFilter => ({
  action,
  actorId: actor,
  subjectId: subject,
  since,
  until,
})

/** Null for all. */
async function tenantIdFor(database: Database, { tenant, installation }: Flags): Promise<TenantId | null> {
  if (installation) return INSTALLATION
  return tenant === undefined ? null : requireTenantId(database, tenant)
}

const row = (entry: AuditRecord) => [
  entry.createdAt.toISOString(),
  entry.action,
  entry.subjectId,
  entry.actorId ?? '-',
  entry.credentialId ?? '-',
  entry.address ?? '-',
  entry.entryId,
  entry.details === null ? '' : JSON.stringify(entry.details),
]
