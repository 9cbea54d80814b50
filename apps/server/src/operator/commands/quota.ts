import { type Database, databaseClock } from '@collab-spaces/db'
import { DEFAULT_QUOTAS, dayOf, type Quotas, type TenantId, type WrittenAmount } from '@collab-spaces/domain'
import { type Command, InvalidArgumentError } from 'commander'
import type { CommandContext, OutputFlags } from '../context.js'
import { nameOfTenant, print, table } from '../output.js'
import { requireTenantId } from '../tenant.js'

/** Commander takes null for no value. */
type Change = Partial<Record<keyof Quotas, number | 'none'>>

export function quotaCommands(quota: Command, context: CommandContext): void {
  quota
    .command('show <tenant-id>')
    .description('Show the quotas of a tenant, and how much of them is used')
    .action((tenantId: string, flags: OutputFlags) =>
      context.withDatabase(async (database) =>
        show(context, flags, database, await requireTenantId(database, tenantId)),
      ),
    )

  quota
    .command('set <tenant-id>')
    .description('Set quotas of a tenant; those that are not named stay as they are')
    .option('--events-per-day <n>', 'events in a day of UTC', quotaOrNone)
    .option('--spaces <n>', 'spaces', quotaOrNone)
    .option('--agents <n>', 'agents', quotaOrNone)
    .option('--tokens <n>', 'personal access tokens', quotaOrNone)
    .option('--bytes <n>', 'bytes of its events, as tenant usage shows them', quotaOrNone)
    .option('--file-bytes <n>', 'bytes of its files, with each content counted once', quotaOrNone)
    .option('--agents-per-human <n>', 'agents of one human', quotaOrNone)
    .option('--tokens-per-human <n>', 'personal access tokens of one human that are valid', quotaOrNone)
    .action((tenant: string, { json, ...change }: OutputFlags & Change) =>
      context.withDatabase(async (database) => {
        const tenantId = await requireTenantId(database, tenant)
        await set(database, tenantId, change)
        await show(context, { ...(json && { json }) }, database, tenantId)
      }),
    )

  quota
    .command('clear <tenant-id>')
    .description('Remove all quotas of a tenant, but for the default ones of one human')
    .action((tenant: string, flags: OutputFlags) =>
      context.withDatabase(async (database) => {
        const tenantId = await requireTenantId(database, tenant)
        await database.quotas.clear(tenantId)
        database.bus.publish({ kind: 'quotas' })
        await show(context, flags, database, tenantId)
      }),
    )
}

async function set(database: Database, tenantId: TenantId, change: Change): Promise<void> {
  const now = databaseClock.now()
  const before = (await database.quotas.find(tenantId)) ?? DEFAULT_QUOTAS
  const changed = (name: keyof Quotas) => {
    const { [name]: value = before[name] } = change
    return value === 'none' ? null : value
  }
  const quotas = {
    eventsPerDay: changed('eventsPerDay'),
    spaces: changed('spaces'),
    agents: changed('agents'),
    tokens: changed('tokens'),
    bytes: changed('bytes'),
    fileBytes: changed('fileBytes'),
    agentsPerHuman: changed('agentsPerHuman'),
    tokensPerHuman: changed('tokensPerHuman'),
  }
  await database.quotas.set(tenantId, quotas, dayOf(now), await writtenBy(database, tenantId, now))
  database.bus.publish({ kind: 'quotas' })
}

/** The counts of the servers, or where they would begin. */
async function writtenBy({ quotas, usage }: Database, tenantId: TenantId, now: Date): Promise<WrittenAmount> {
  const today = dayOf(now)
  const counted = await quotas.find(tenantId)
  if (counted?.day === today) return counted.written
  const events = await usage.eventsSince(tenantId, new Date(today))
  return { events, bytes: counted?.written.bytes ?? (await usage.ofTenant(tenantId)).eventBytes }
}

async function show(
  context: CommandContext,
  flags: OutputFlags,
  database: Database,
  tenantId: TenantId,
): Promise<void> {
  const quotas = (await database.quotas.find(tenantId)) ?? DEFAULT_QUOTAS
  const { events, bytes } = await writtenBy(database, tenantId, databaseClock.now())
  const { spaces, agents, tokens, fileBytes } = await database.usage.ofTenant(tenantId)
  const most = await database.usage.maxUsageOfHumans(tenantId)
  const value = {
    events_per_day: { quota: quotas.eventsPerDay, used: events },
    spaces: { quota: quotas.spaces, used: spaces },
    agents: { quota: quotas.agents, used: agents },
    tokens: { quota: quotas.tokens, used: tokens },
    bytes: { quota: quotas.bytes, used: bytes },
    file_bytes: { quota: quotas.fileBytes, used: fileBytes },
    agents_per_human: { quota: quotas.agentsPerHuman, used: most.agents },
    tokens_per_human: { quota: quotas.tokensPerHuman, used: most.tokens },
  }
  const rows = Object.entries(value).map(([name, { quota, used }]) => [
    name.replaceAll('_', ' '),
    quota === null ? 'none' : String(quota),
    String(used),
  ])
  const lines = [`Quotas of ${nameOfTenant(tenantId)}:`, ...table(['', 'QUOTA', 'USED'], rows)]
  print(context, flags, { tenant_id: tenantId, ...value }, lines)
}

function quotaOrNone(given: string): number | 'none' {
  if (given === 'none') return given
  if (/^\d{1,15}$/.test(given)) return Number(given)
  throw new InvalidArgumentError('It must be a whole number, or none.')
}
