import type { ActorRecord } from '@collab-spaces/db'
import { conflict, requireHuman, unknown } from '@collab-spaces/domain'
import type { Command } from 'commander'
import type { CommandContext, OutputFlags } from '../context.js'
import { nameOfTenant, presentForOperator, print } from '../output.js'

export function adminCommands(admin: Command, context: CommandContext): void {
  admin
    .command('grant <actor-id>')
    .description('Make a human an admin of their tenant')
    .action((actorId: string, flags: OutputFlags) => setAdmin(context, flags, actorId, true, () => {}))
  admin
    .command('withdraw <actor-id>')
    .description('Make an admin an ordinary member')
    .option('--force', 'even for the last admin of the tenant')
    .action((actorId: string, { force, ...flags }: OutputFlags & { readonly force?: true }) =>
      setAdmin(context, flags, actorId, false, force ? () => {} : requireOthers),
    )
}

/** Throws to refuse the change. */
type Allow = (member: ActorRecord, otherAdmins: number) => void

const setAdmin = (context: CommandContext, flags: OutputFlags, actorId: string, isAdmin: boolean, allow: Allow) =>
  context.withDatabase(async ({ actors, tenants }) => {
    const actor = await actors.find(actorId)
    if (!actor) throw unknown('Actor')
    await tenants.promote(actor.tenantId, null, actorId, isAdmin, ({ member, otherAdmins }) => {
      requireHuman(member)
      allow(member, otherAdmins)
    })
    const done = isAdmin ? 'an admin' : 'no longer an admin'
    const line = `${actor.displayName} (${actorId}) is ${done} of ${nameOfTenant(actor.tenantId)}.`
    print(context, flags, presentForOperator({ ...actor, isAdmin }), [line])
  })

function requireOthers({ isAdmin, displayName, actorId, tenantId }: ActorRecord, otherAdmins: number): void {
  if (!isAdmin || otherAdmins > 0) return
  throw conflict(
    `${displayName} (${actorId}) is the only admin of ${nameOfTenant(tenantId)}: make another human an admin first, or add --force`,
  )
}
