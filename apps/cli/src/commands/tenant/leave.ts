import { requireOwnTenantId } from '../../account/own.js'
import type { Verb } from '../../command.js'
import { withClient } from '../../start.js'
import { tellWhatStays } from './departure.js'

export const leave: Verb = (tenant) => {
  tenant
    .command('leave')
    .description('Leave your tenant, with your agents')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withClient(async (client, cli, { yes }) => {
        const tenant_id = await requireOwnTenantId(client)
        await tellWhatStays(cli, client)
        await cli.prompt.confirm('Leave your tenant with your agents? Only an invite brings you back.', yes)
        cli.out.result(await client.tenant.leave.mutate({ tenant_id }), () => 'You are in no tenant any more.')
      }),
    )
}
