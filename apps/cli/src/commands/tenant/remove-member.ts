import type { Verb } from '../../command.js'
import { failed } from '../../failure.js'
import { start } from '../../start.js'
import { ownTenantId } from './own.js'

export const removeMember: Verb = (tenant) => {
  tenant
    .command('remove-member')
    .description('Remove a human, with their agents, from your tenant')
    .argument('<member>', 'Actor ID of the human')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      start(async (cli, actor_id, { yes }) => {
        const client = await cli.client()
        const tenant_id = await ownTenantId(client)
        if (tenant_id === null) throw failed('You are in no tenant')
        await cli.prompt.confirm(`Remove ${actor_id}, with their agents, from the tenant?`, yes)
        cli.out.result(await client.tenant.removeMember.mutate({ tenant_id, actor_id }), () => `Removed ${actor_id}.`)
      }),
    )
}
