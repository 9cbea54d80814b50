import { writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { ConnectionOptions } from '@collab-spaces/db'
import { baseUrl, DEFAULT_TENANT, forbidden, invalid, isUuid, unknown } from '@collab-spaces/domain'
import { isKey } from '@collab-spaces/merkle'
import {
  cancelMove,
  type DistrustedCounts,
  deleteTenant,
  exportTenant,
  importTenant,
  moveTenant,
  OperatorError,
  recordExport,
  requireDeletable,
  requireMigrated,
} from '@collab-spaces/operator'
import type { Command } from 'commander'
import { contentOf } from '../backup.js'
import { type CommandContext, type ConfirmedFlags, type OutputFlags, requireYes, YES_FLAG } from '../context.js'
import { requireNew, writeNew } from '../new-file.js'
import { print } from '../output.js'
import { counted, grouped, progressTo } from '../progress.js'
import { withFile } from '../restore.js'
import { requireTenant } from '../tenant.js'

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
    .action(move(context))

  tenant
    .command('export <tenant-id> <file>')
    .description('Write all of a tenant to a new file, while it stays in service; only its owner can read the file')
    .action(exportTo(context))

  tenant
    .command('import <file>')
    .description('Bring a tenant from a file into this installation, beside others: all of it, or nothing')
    .option('--trust-key <key>', 'trust a file that is signed with this key: /log/keys of the server that exported it')
    .option('--disable-webhooks', 'disable its webhooks, where this installation has another server key')
    .action(importFrom(context))

  tenant
    .command('delete <tenant-id>')
    .description(
      'Delete a tenant for good that is suspended or has moved; if it is interrupted, run it again to continue',
    )
    .option(...YES_FLAG)
    .action(deleteFor(context))
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
    const { bucket } = context
    const request = { tenantId, from, to, location, bucket, disablesWebhooks: flags.disableWebhooks ?? false }
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
      ...linesOfDisabled(disabledWebhooks),
      `Once clients no longer come here for it: tenant delete ${tenantId}`,
    ])
  })
}

const exportTo = (context: CommandContext) => async (given: string, file: string, flags: OutputFlags) => {
  const tenantId = tenantOf(given)
  await requireNew(file)
  await context.withConnection(async (connection, directory) => {
    await requireMigrated(connection)
    const signer = await context.logSigner(connection, directory)
    if (!signer) context.note('Without a server key, the file is not signed, and no other installation can trust it')
    const { bytes, result: rows } = await writeNew(file, (handle) =>
      exportTenant(
        connection,
        tenantId,
        signer,
        (content) => writeFile(handle, content),
        progressTo(context.note),
        context.signal,
        context.bucket,
      ),
    )
    await recordExport(connection, tenantId, resolve(file), rows).catch((error: Error) =>
      context.note(`The file is complete, but not in the security log: ${error.message}`),
    )
    print(context, flags, { file, bytes, tenant_id: tenantId, rows }, [
      `Exported ${contentOf(rows)} to ${file} (${grouped(bytes)} bytes).`,
    ])
  })
}

interface ImportFlags extends OutputFlags {
  readonly trustKey?: string
  readonly disableWebhooks?: true
}

const importFrom = (context: CommandContext) => (file: string, flags: ImportFlags) => {
  const trustedKey = flags.trustKey ?? null
  if (trustedKey !== null && !isKey(trustedKey)) {
    throw invalid('--trust-key', 'must be a public key, as /log/keys of the other server shows it')
  }
  return withFile(file, (handle) =>
    context.withConnection(async (connection) => {
      await requireMigrated(connection)
      const { tenantId, name, rows, disabledWebhooks, distrusted } = await importTenant(
        connection,
        handle.createReadStream(),
        { disablesWebhooks: flags.disableWebhooks ?? false, file: basename(file), trustedKey },
        progressTo(context.note),
        context.signal,
      )
      const left = distrusted && {
        sign_ins: distrusted.signIns,
        browsers: distrusted.browsers,
        addresses: distrusted.addresses,
      }
      const value = { file, tenant_id: tenantId, name, rows, disabled_webhooks: disabledWebhooks, distrusted: left }
      print(context, flags, value, [
        `Imported tenant ${tenantId} (${name}): ${contentOf(rows)}.`,
        ...linesOfDistrusted(distrusted),
        ...linesOfDisabled(disabledWebhooks),
      ])
    }),
  )
}

const deleteFor = (context: CommandContext) => async (given: string, flags: ConfirmedFlags) => {
  const tenantId = tenantOf(given)
  const { name } = await context.withDatabase((database) => requireTenant(database, tenantId))
  await context.withConnection(async (connection) => {
    await requireDeletable(connection, tenantId)
    requireYes(
      flags,
      `This permanently deletes the tenant ${name} with all that is in it. Only a backup can restore that.`,
    )
    const deletion = await deleteTenant(connection, tenantId, progressTo(context.note), context.signal)
    const { rows, remnants, isResumed } = deletion
    const value = { tenant_id: tenantId, name, rows, remnants, resumed: isResumed }
    print(context, flags, value, [
      `Deleted tenant ${tenantId} (${name}): ${contentOf(rows)}.${isResumed ? ' An earlier attempt had begun with it.' : ''}`,
      ...(remnants > 0 ? [`Kept as deleted, as history elsewhere refers to them: ${counted(remnants, 'actor')}.`] : []),
    ])
  })
}

const linesOfDistrusted = (distrusted: DistrustedCounts | null) =>
  distrusted === null
    ? []
    : [
        'Without --trust-key, the file is not authenticated. ' +
          `Left out: ${counted(distrusted.signIns, 'way', 'ways')} to sign in and ${counted(distrusted.browsers, 'browser')} to notify. ` +
          `To be confirmed again: ${counted(distrusted.addresses, 'e-mail address', 'e-mail addresses')}.`,
      ]

const linesOfDisabled = (count: number) =>
  count > 0 ? [`${counted(count, 'webhook')} disabled: their owners rotate the secrets, and enable them again.`] : []

/** Refuses the shared tenant, which belongs to its installation. */
function tenantOf(given: string): string {
  if (!isUuid(given)) throw unknown('Tenant')
  if (given === DEFAULT_TENANT) throw forbidden('The shared default tenant cannot leave its installation: move tenants')
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
    throw new OperatorError(`The database in --to-database cannot be used: ${(error as Error).message}`)
  }
  return to
}
