import { createInvites, type IssuedInvite, presentInvite } from '@collab-spaces/api'
import type { Database } from '@collab-spaces/db'
import { DEFAULT_TENANT, type TenantId } from '@collab-spaces/domain'
import type { Command } from 'commander'
import { parseEmail } from '../arguments.js'
import type { CommandContext, OutputFlags } from '../context.js'
import { nameOfTenant, print } from '../output.js'
import { requireTenantId } from '../tenant.js'

export const FOR_EMAIL = 'only an account with this address can redeem the invite'

export function inviteCommands(invite: Command, context: CommandContext): void {
  invite
    .command('admin')
    .description('Create a one-time invite for an admin; the code is shown only once')
    .option('--tenant <tenant-id>', 'the tenant to join (default: the shared default tenant)')
    .option('--email <address>', FOR_EMAIL, parseEmail)
    .action(({ tenant, email, ...flags }: OutputFlags & { readonly tenant?: string; readonly email?: string }) =>
      context.withDatabase(async (database) => {
        const invited = await inviteAdmin(database, await requireTenantId(database, tenant ?? DEFAULT_TENANT), email)
        print(context, flags, presentAdminInvite(invited), linesOfAdminInvite(invited))
      }),
    )
}

/** Creates an invite whose redeemer becomes an admin. */
export async function inviteAdmin(
  database: Database,
  tenantId: TenantId,
  email: string | undefined,
): Promise<IssuedInvite> {
  const terms = { defaultSpaceId: null, grantsAdmin: true, makesGuest: false, maker: null, expiresAt: null }
  const [created] = await createInvites({ database }, tenantId, [email ?? null], terms)
  return created as IssuedInvite
}

export const presentAdminInvite = ({ invite, code }: IssuedInvite) => ({ ...presentInvite(invite), code })

export const linesOfAdminInvite = ({ invite, code }: IssuedInvite) => [
  `Invite for an admin of ${nameOfTenant(invite.tenantId)}, valid until ${invite.expiresAt.toISOString()}:`,
  code,
  'Sign up with it: spaces signup --code. With an account: spaces invite redeem. Or in the page.',
]
