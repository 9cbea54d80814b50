import { randomBytes, randomUUID } from 'node:crypto'
import { presentTenant } from '@collab-spaces/api'
import { databaseClock, type TenantRecord } from '@collab-spaces/db'
import {
  asTenantId,
  DEFAULT_TENANT,
  isUuid,
  LIMITS,
  requireCanLeave,
  requireCanRemove,
  requireCanSuspend,
  schemaName,
  type TENANT_STATUSES,
  unknown,
} from '@collab-spaces/domain'
import { type Command, Option } from 'commander'
import { parseEmail, textUpTo } from '../arguments.js'
import type { CommandContext, OutputFlags } from '../context.js'
import { fields, nameOfTenant, print, printList } from '../output.js'
import { requireTenant, requireTenantId } from '../tenant.js'
import { FOR_EMAIL, inviteAdmin, linesOfAdminInvite, presentAdminInvite } from './invite.js'
import { quotaCommands } from './quota.js'
import { redactTenantCommand } from './redact-before.js'
import { transferCommands } from './transfer.js'

export function tenantCommands(tenant: Command, context: CommandContext): void {
  tenant
    .command('list')
    .description('List tenants, oldest first')
    .action((flags: OutputFlags) =>
      context.withDatabase(async ({ tenants }) => printList(context, flags, await tenants.list(), LIST)),
    )

  tenant
    .command('create')
    .description('Make a tenant, and an invite for its first admin; the code is shown only once')
    .argument('<name>', 'its name', textUpTo(LIMITS.tenantName))
    .option('--email <address>', FOR_EMAIL, parseEmail)
    .action(create(context))

  tenant
    .command('suspend <tenant-id>')
    .description('Suspend a tenant: refuse its actors and end their streams')
    .action(setStatus(context, 'suspended'))
  tenant
    .command('reactivate <tenant-id>')
    .description('Reactivate a suspended tenant')
    .action(setStatus(context, 'active'))

  tenant
    .command('show <tenant-id>')
    .description('Show a tenant and its settings')
    .action((tenantId: string, flags: OutputFlags) =>
      context.withDatabase(async (database) => show(context, flags, await requireTenant(database, tenantId))),
    )
  tenant
    .command('set <tenant-id>')
    .description('Change the settings of a tenant')
    .addOption(
      new Option(
        '--language-model <on|off>',
        'whether its texts may be sent to the language model that writes summaries',
      )
        .choices(['on', 'off'])
        .makeOptionMandatory(),
    )
    .action(set(context))

  tenant
    .command('usage <tenant-id>')
    .description('Show how much a tenant stores; the size of many events is estimated from 5,000 or more of them')
    .action(showUsage(context))

  tenant
    .command('remove-member <tenant-id> <actor-id>')
    .description('Move a human and their agents from a tenant to the shared default tenant')
    .action(removeMember(context))

  redactTenantCommand(tenant, context)
  transferCommands(tenant, context)
  quotaCommands(tenant.command('quota').description('Limit how much a tenant may have'), context)
}

/** Presents a tenant for the operator, in any state. */
const presentForOperator = (tenant: TenantRecord) => ({
  ...presentTenant(tenant),
  status: tenant.status,
  ...(tenant.location !== null && { location: tenant.location }),
})

const LIST = {
  present: presentForOperator,
  columns: { TENANT: 36, STATUS: 'suspended'.length, CREATED: 24, NAME: 0 },
  cells: (tenant: TenantRecord) => [
    tenant.tenantId,
    tenant.status,
    tenant.createdAt.toISOString(),
    tenant.location === null ? nameOf(tenant) : `${nameOf(tenant)} (${tenant.location})`,
  ],
}

const nameOf = ({ tenantId, name }: TenantRecord) => (tenantId === DEFAULT_TENANT ? '(shared default tenant)' : name)

const create =
  (context: CommandContext) =>
  (name: string, { email, ...flags }: OutputFlags & { readonly email?: string }) =>
    context.withDatabase(async (database) => {
      const tenant = await database.tenants.found({
        tenantId: randomUUID(),
        name,
        schemaName: schemaName(name, randomBytes),
        createdAt: databaseClock.now(),
      })
      const invited = await inviteAdmin(database, asTenantId(tenant.tenantId), email)
      print(context, flags, { ...presentTenant(tenant), invite: presentAdminInvite(invited) }, [
        `Tenant ${tenant.tenantId} was created without members.`,
        ...linesOfAdminInvite(invited),
      ])
    })

const setStatus =
  (context: CommandContext, status: (typeof TENANT_STATUSES)[number]) => (tenantId: string, flags: OutputFlags) =>
    context.withDatabase(async ({ tenants, bus }) => {
      requireCanSuspend(tenantId)
      if (!isUuid(tenantId) || !(await tenants.setStatus(tenantId, status))) throw unknown('Tenant')
      bus.publish({ kind: 'revoked' })
      print(context, flags, { tenant_id: tenantId, status }, [`Tenant ${tenantId} is ${status}.`])
    })

function show(context: CommandContext, flags: OutputFlags, tenant: TenantRecord): void {
  const { tenantId, schemaName, status, location, createdAt, allowsLanguageModel } = tenant
  const value = { ...presentForOperator(tenant), allows_language_model: allowsLanguageModel }
  const lines = fields({
    tenant: tenantId,
    name: nameOf(tenant),
    'schema name': schemaName,
    status,
    ...(location !== null && { location }),
    created: createdAt.toISOString(),
    'language model': allowsLanguageModel ? 'on' : 'off',
  })
  print(context, flags, value, lines)
}

const set =
  (context: CommandContext) =>
  (tenantId: string, { languageModel, ...flags }: OutputFlags & { readonly languageModel: 'on' | 'off' }) =>
    context.withDatabase(async (database) => {
      await database.tenants.setAllowsLanguageModel(await requireTenantId(database, tenantId), languageModel === 'on')
      show(context, flags, await requireTenant(database, tenantId))
    })

const showUsage = (context: CommandContext) => (tenant: string, flags: OutputFlags) =>
  context.withDatabase(async (database) => {
    const tenantId = await requireTenantId(database, tenant)
    const usage = await database.usage.ofTenant(tenantId)
    const value = {
      tenant_id: tenantId,
      members: usage.members,
      agents: usage.agents,
      tokens: usage.tokens,
      spaces: usage.spaces,
      events: usage.events,
      event_bytes: usage.eventBytes,
      event_bytes_estimated: usage.isEstimated,
      file_bytes: usage.fileBytes,
    }
    const { event_bytes, event_bytes_estimated, file_bytes, ...shown } = value
    const size = `${event_bytes}${event_bytes_estimated ? ' (estimated)' : ''}`
    print(context, flags, value, fields({ ...shown, 'event bytes': size, 'file bytes': String(file_bytes) }))
  })

const removeMember = (context: CommandContext) => (tenant: string, actorId: string, flags: OutputFlags) =>
  context.withDatabase(async (database) => {
    requireCanLeave(tenant)
    const tenantId = await requireTenantId(database, tenant)
    const removed = await database.tenants.removeMember(tenantId, null, actorId, requireCanRemove)
    database.bus.publish({ kind: 'revoked' })
    const value = { tenant_id: tenantId, actor_id: actorId, removed }
    print(context, flags, value, [
      `${removed.join(', ')}: moved from ${nameOfTenant(tenantId)} to the shared default tenant.`,
    ])
  })
