import type { Member } from '@collab-spaces/client'
import { requireOwnTenantId } from '../../account/own.js'
import type { Verb } from '../../command.js'
import { membersOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'
import { styled } from '../../terminal/styled.js'

export const promote: Verb = (tenant) => {
  tenant
    .command('promote')
    .description('Make a member of your tenant an admin')
    .argument('<member>', 'Member, by name or ID')
    .option('--undo', 'Make an admin a member like the others')
    .action(
      withNamed(membersOf, async (client, cli, actor_id, { undo }) => {
        const tenant_id = await requireOwnTenantId(client)
        cli.out.result(await client.tenant.promote.mutate({ tenant_id, actor_id, is_admin: !undo }), standing)
      }),
    )
}

const standing = ({ display_name, is_admin }: Member) =>
  styled`${display_name} is ${is_admin ? 'an admin' : 'no longer an admin'} of your tenant.`
