import { requireOwnTenantId } from '../../account/own.js'
import type { Verb } from '../../command.js'
import { membersOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'

export const disableMember: Verb = (tenant) => {
  tenant
    .command('disable-member')
    .description('Disable a member of your tenant, with their agents: they can no longer sign in, not even to read')
    .argument('<member>', 'Member, by name or ID')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withNamed(membersOf, async (client, cli, actor_id, { yes }) => {
        await requireOwnTenantId(client)
        await cli.prompt.confirm(
          `Disable ${actor_id}, with their agents? Whatever uses their credentials is signed out immediately.`,
          yes,
        )
        cli.out.result(await client.actor.disable.mutate({ actor_id }), () => `Disabled ${actor_id}.`)
      }),
    )
}

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
