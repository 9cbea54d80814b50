import { createInvite } from '@collab-spaces/api'
import {
  DEFAULT_SCOPE,
  isUuid,
  requireHuman,
  requireRealTenant,
  scopeOf,
  type TenantStatus,
  unknown,
} from '@collab-spaces/domain'
import { Command } from 'commander'
import { backupCommand } from './backup.js'
import { checkCommand } from './check.js'
import type { CommandContext } from './context.js'
import { restoreCommand } from './restore.js'

/** The operator's commands. They take effect on every running instance at once. */
export function operatorCommands(context: CommandContext): Command {
  const program = new Command('spaces-server')
    .description('Serve Collaboration Spaces, or manage its data, tenants, admins and invites.')
    .showHelpAfterError('Run with --help for usage.')
  tenantCommands(program.command('tenant').description('Manage tenants'), context)
  adminCommands(program.command('admin').description('Manage admins of tenants'), context)
  inviteCommands(program.command('invite').description('Create invites'), context)
  program.addCommand(backupCommand(context))
  program.addCommand(restoreCommand(context))
  program.addCommand(checkCommand(context))
  return program
}

function tenantCommands(tenant: Command, { withDatabase, say }: CommandContext): void {
  tenant
    .command('list')
    .description('List tenants, oldest first')
    .action(() =>
      withDatabase(async ({ tenants }) => {
        const rows = (await tenants.list()).map((row) => [
          row.tenantId,
          row.status,
          row.createdAt.toISOString(),
          row.tenantId === DEFAULT_SCOPE ? '(shared default scope)' : row.name,
        ])
        for (const line of aligned([['TENANT', 'STATUS', 'CREATED', 'NAME'], ...rows])) say(line)
      }),
    )

  const setStatus = (status: TenantStatus, done: string) => (tenantId: string) =>
    withDatabase(async ({ tenants, bus }) => {
      requireRealTenant(tenantId)
      if (!isUuid(tenantId) || !(await tenants.setStatus(tenantId, status))) throw unknown('Tenant')
      bus.publish({ kind: 'revoked' })
      say(`Tenant ${tenantId} is ${done}.`)
    })

  tenant
    .command('suspend <tenant-id>')
    .description('Suspend a tenant: refuse its actors and end their streams')
    .action(setStatus('suspended', 'suspended'))
  tenant
    .command('reactivate <tenant-id>')
    .description('Reactivate a suspended tenant')
    .action(setStatus('active', 'active'))
}

function adminCommands(admin: Command, { withDatabase, say }: CommandContext): void {
  const setAdmin = (isAdmin: boolean, done: string) => (actorId: string) =>
    withDatabase(async ({ actors }) => {
      const actor = await actors.change(actorId, null, (actor) => {
        requireHuman(actor)
        return { isAdmin }
      })
      if (!actor) throw unknown('Actor')
      say(`${actor.displayName} (${actorId}) is ${done} of ${nameOf(actor.scope)}.`)
    })

  admin
    .command('grant <actor-id>')
    .description('Make a human an admin of their tenant')
    .action(setAdmin(true, 'an admin'))
  admin
    .command('withdraw <actor-id>')
    .description('Make an admin an ordinary member')
    .action(setAdmin(false, 'no longer an admin'))
}

function inviteCommands(invite: Command, { withDatabase, say }: CommandContext): void {
  invite
    .command('admin')
    .description('Create a one-time invite for an admin; the code is shown only once')
    .option('--tenant <tenant-id>', 'the tenant to join (default: the shared default scope)')
    .option('--email <address>', 'a note about who it is for')
    .action(({ tenant, email }: { tenant?: string; email?: string }) =>
      withDatabase(async (database) => {
        const scope = tenant === undefined ? DEFAULT_SCOPE : scopeOf(tenant)
        if (!isUuid(scope) || !(await database.tenants.find(scope))) throw unknown('Tenant')
        const { invite, code } = await createInvite({ database }, scope, {
          email: email ?? null,
          defaultSpaceId: null,
          grantsAdmin: true,
          maker: null,
          expiresAt: null,
        })
        say(`Invite for an admin of ${nameOf(scope)}, valid until ${invite.expiresAt.toISOString()}:`)
        say(code)
        say('Redeem it with POST /api/invites/redeem, or register with it: POST /api/actors with the field "code".')
      }),
    )
}

const nameOf = (scope: string) => (scope === DEFAULT_SCOPE ? 'the shared default scope' : `tenant ${scope}`)

/** Columns of text, each as wide as its widest cell. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
