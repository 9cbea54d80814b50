import { type ConnectionOptions, cancelMove, moveTenant, requireMigrated, TransferError } from '@collab-spaces/db'
import { baseUrl, DEFAULT_SCOPE, forbidden, invalid, isUuid, unknown } from '@collab-spaces/domain'
import type { Command } from 'commander'
import { type CommandContext, JSON_FLAG, type OutputFlags } from '../context.js'
import { print } from '../output.js'
import { counted, progressTo } from '../progress.js'

/** Commands that carry whole tenants from one installation to another, or end them. */
export function transferCommands(tenant: Command, context: CommandContext): void {
  tenant
    .command('move <tenant-id>')
    .description(
      'Move a tenant to another installation, while both are running; if it is interrupted, run it again to continue',
    )
    .requiredOption('--to-database <url>', 'the database of the other installation, as the owner of its tables')
    .option('--location <url>', 'where clients find the other installation, such as https://b.example.org')
    .option('--disable-webhooks', 'disable its webhooks, where the other installation has another server key')
    .option('--cancel', 'give up a move that was interrupted: the tenant is back in service here')
    .option(...JSON_FLAG)
    .action(move(context))
}

interface MoveFlags extends OutputFlags {
  readonly toDatabase: string
  readonly location?: string
  readonly disableWebhooks?: true
  readonly cancel?: true
}

const move = (context: CommandContext) => async (given: string, flags: MoveFlags) => {
  const tenantId = tenantOf(given)
  const location = flags.cancel ? '' : locationOf(flags.location)
  await context.withConnection(async (from) => {
    await requireMigrated(from)
    const to = await destination(flags.toDatabase, from)
    if (flags.cancel) {
      await cancelMove({ tenantId, from, to })
      return print(context, flags, { tenant_id: tenantId, cancelled: true }, [`Tenant ${tenantId} stays here.`])
    }
    const request = { tenantId, from, to, location, disablesWebhooks: flags.disableWebhooks ?? false }
    const watcher = { progress: progressTo(context.note), say: context.note }
    const { spaces, events, disabledWebhooks, frozenMs } = await moveTenant(request, watcher, context.signal)
    const value = {
      tenant_id: tenantId,
      location,
      spaces,
      events,
      disabled_webhooks: disabledWebhooks,
      out_of_service_ms: frozenMs,
    }
    const outOfService = frozenMs === null ? '' : ` It was out of service for ${(frozenMs / 1000).toFixed(2)} s.`
    print(context, flags, value, [
      `Moved tenant ${tenantId} to ${location}: ${counted(events, 'event')} in ${counted(spaces, 'space')}.${outOfService}`,
      ...(disabledWebhooks > 0
        ? [`${counted(disabledWebhooks, 'webhook')} disabled: their owners rotate the secrets, and enable them again.`]
        : []),
      `Once nobody comes here for it any more: tenant delete ${tenantId}`,
    ])
  })
}

/** Everybody's shared scope is part of its installation. */
function tenantOf(given: string): string {
  if (!isUuid(given)) throw unknown('Tenant')
  if (given === DEFAULT_SCOPE) throw forbidden('The shared default scope cannot leave its installation: move tenants')
  return given.toLowerCase()
}

function locationOf(given: string | undefined): string {
  const location = given === undefined ? null : baseUrl(given)
  if (location !== null) return location
  throw invalid('--location', 'must be the base URL of the other installation, such as https://b.example.org')
}

/** The other database, migrated by this version, too. */
async function destination(url: string, { operator }: ConnectionOptions): Promise<ConnectionOptions> {
  const to = { connectionString: url, ...(operator !== undefined && { operator }) }
  try {
    await requireMigrated(to)
  } catch (error) {
    throw new TransferError(`The database in --to-database cannot be used: ${(error as Error).message}`)
  }
  return to
}
