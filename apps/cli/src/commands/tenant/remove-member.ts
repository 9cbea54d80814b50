import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { membersOf } from '../../id/kind.js'
import { withClient } from '../../start.js'
import { requireOwnTenantId } from './own.js'

export const removeMember: Verb = (tenant) => {
  tenant
    .command('remove-member')
    .description('Remove a human, with their agents, from your tenant')
    .argument('<member>', 'Member, by name or ID')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withClient(async (client, cli, given, { yes }) => {
        const tenant_id = await requireOwnTenantId(client)
        const actor_id = await fullId(cli, membersOf(client, tenant_id), given)
        await cli.prompt.confirm(`Remove ${actor_id}, with their agents, from the tenant?`, yes)
        cli.out.result(await client.tenant.removeMember.mutate({ tenant_id, actor_id }), () => `Removed ${actor_id}.`)
      }),
    )
}
