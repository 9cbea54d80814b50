import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { membersOf } from '../../id/kind.js'
import { withClient } from '../../start.js'
import { requireOwnTenantId } from './own.js'

export const enableMember: Verb = (tenant) => {
  tenant
    .command('enable-member')
    .description('Enable a member whom an admin disabled, with their agents')
    .argument('<member>', 'Member, by name or ID')
    .action(
      withClient(async (client, cli, given) => {
        const actor_id = await fullId(cli, membersOf(client, await requireOwnTenantId(client)), given)
        cli.out.result(await client.actor.enable.mutate({ actor_id }), () => `Enabled ${actor_id}.`)
      }),
    )
}
