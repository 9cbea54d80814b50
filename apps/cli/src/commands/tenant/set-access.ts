import type { Member } from '@collab-spaces/client'
import { requireOwnTenantId } from '../../account/own.js'
import type { Verb } from '../../command.js'
import { membersOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'
import { styled } from '../../terminal/styled.js'

export const setAccess: Verb = (tenant) => {
  tenant
    .command('guest')
    .description('Make a member of your tenant a guest, who sees only the spaces it was added to')
    .argument('<member>', 'Member, by name or ID')
    .option('--agents', 'Let the guest sponsor agents')
    .option('--undo', 'Let a guest see all open spaces again')
    .action(
      withNamed(membersOf, async (client, cli, actor_id, { agents, undo }) => {
        const tenant_id = await requireOwnTenantId(client)
        const access = undo ? 'all' : 'named'
        cli.out.result(
          await client.tenant.setAccess.mutate({ tenant_id, actor_id, access, may_sponsor_agents: agents ?? false }),
          standing,
        )
      }),
    )
}

const standing = ({ display_name, access }: Member) =>
  styled`${display_name} ${access === 'named' ? 'is a guest of your tenant' : 'sees all open spaces'}.`
