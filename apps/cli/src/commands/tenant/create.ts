import type { Verb } from '../../command.js'
import { oneTenant } from '../../show/tenant.js'
import { withClient } from '../../start.js'
import { tellWhatStays } from './departure.js'

export const create: Verb = (tenant) => {
  tenant
    .command('create')
    .description('Create a tenant and move into it with your agents, as its admin')
    .argument('<name>', 'Name of the tenant')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withClient(async (client, cli, name, { yes }) => {
        await tellWhatStays(cli, client)
        const question = 'Move into a new tenant with your agents? Your current spaces stay behind.'
        await cli.prompt.confirm(question, yes)
        cli.out.result(await client.tenant.create.mutate({ name }), oneTenant)
        cli.out.note('\nInvite people: spaces invite create --email ADDRESS')
      }),
    )
}
