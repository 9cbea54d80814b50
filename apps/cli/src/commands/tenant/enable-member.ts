import { requireOwnTenantId } from '../../account/own.js'
import type { Verb } from '../../command.js'
import { membersOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'

export const enableMember: Verb = (tenant) => {
  tenant
    .command('enable-member')
    .description('Enable a member that an admin disabled, with its agents')
    .argument('<member>', 'Member, by name or ID')
    .action(
      withNamed(membersOf, async (client, cli, actor_id) => {
        await requireOwnTenantId(client)
        cli.out.result(await client.actor.enable.mutate({ actor_id }), () => `Enabled ${actor_id}.`)
      }),
    )
}
