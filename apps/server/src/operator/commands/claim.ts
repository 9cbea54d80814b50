import type { WorkClaimRecord } from '@collab-spaces/db'
import { PAGES } from '@collab-spaces/domain'
import type { Command } from 'commander'
import { parseLimit } from '../arguments.js'
import type { CommandContext, OutputFlags } from '../context.js'
import { print, table } from '../output.js'
import { requireTenantId } from '../tenant.js'
import { redactCommand } from './redact.js'

export function claimCommands(claim: Command, context: CommandContext): void {
  claim
    .command('list <tenant-id> <space-id>')
    .description('List the claims of work in a space in which something is written, also those that have lapsed')
    .option('--limit <n>', 'number of claims', parseLimit, PAGES.audit.default)
    .action((tenantId: string, spaceId: string, { limit, ...flags }: OutputFlags & { readonly limit: number }) =>
      context.withDatabase(async (database) => {
        const claims = await database.workClaims.listWritten(await requireTenantId(database, tenantId), spaceId, limit)
        print(context, flags, claims.map(present), table(['CLAIM', 'SUBJECT', 'HOLDER', 'EXPIRES'], claims.map(row)))
      }),
    )
  redactCommand(claim, context, 'claim')
}

const present = ({ claimId, subject, holderId, note, progress, expiresAt }: WorkClaimRecord) => ({
  claim_id: claimId,
  subject,
  holder: holderId,
  note,
  progress,
  expires_at: expiresAt.toISOString(),
})

const row = ({ claimId, subject, holderId, expiresAt }: WorkClaimRecord) => [
  claimId,
  subject,
  holderId,
  expiresAt.toISOString(),
]
