import { requireOwnTenantId } from '../../account/own.js'
import type { Verb } from '../../command.js'
import { membersOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'

export const removeMember: Verb = (tenant) => {
  tenant
    .command('remove-member')
    .description('Remove a human, with their agents, from your tenant')
    .argument('<member>', 'Member, by name or ID')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withNamed(membersOf, async (client, cli, actor_id, { yes }) => {
        const tenant_id = await requireOwnTenantId(client)
        await cli.prompt.confirm(`Remove ${actor_id}, with their agents, from the tenant?`, yes)
        cli.out.result(await client.tenant.removeMember.mutate({ tenant_id, actor_id }), () => `Removed ${actor_id}.`)
      }),
    )
}
