import { createInvite, presentInvite } from '@collab-spaces/api'
import { DEFAULT_SCOPE } from '@collab-spaces/domain'
import type { Command } from 'commander'
import { type CommandContext, JSON_FLAG, type OutputFlags } from '../context.js'
import { nameOfScope, print } from '../output.js'
import { requireScope } from '../scope.js'

interface Flags extends OutputFlags {
  readonly tenant?: string
  readonly email?: string
}

export function inviteCommands(invite: Command, context: CommandContext): void {
  invite
    .command('admin')
    .description('Create a one-time invite for an admin; the code is shown only once')
    .option('--tenant <tenant-id>', 'the tenant to join (default: the shared default scope)')
    .option('--email <address>', 'a note about who it is for')
    .option(...JSON_FLAG)
    .action(({ tenant, email, ...flags }: Flags) =>
      context.withDatabase(async (database) => {
        const scope = await requireScope(database, tenant ?? DEFAULT_SCOPE)
        const { invite, code } = await createInvite({ database }, scope, {
          email: email ?? null,
          defaultSpaceId: null,
          grantsAdmin: true,
          maker: null,
          expiresAt: null,
        })
        print(context, flags, { ...presentInvite(invite), code }, [
          `Invite for an admin of ${nameOfScope(scope)}, valid until ${invite.expiresAt.toISOString()}:`,
          code,
          'Sign up with it: spaces signup --code. With an account: spaces invite redeem. Or in the page.',
        ])
      }),
    )
}
