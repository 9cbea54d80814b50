import type { Verb } from '../../command.js'
import { oneTenant } from '../../show/tenant.js'
import { start } from '../../start.js'

export const create: Verb = (tenant) => {
  tenant
    .command('create')
    .description('Make a tenant and move into it, with your agents, as its admin')
    .argument('<name>', 'what it is called')
    .option('--yes', 'do not ask')
    .action(
      start(async (cli, name, { yes }) => {
        const client = await cli.client()
        const question = `Move into a new tenant, you and your agents? The spaces you leave stay where they are.`
        await cli.prompt.confirm(question, yes)
        cli.out.result(await client.tenant.create.mutate({ name }), oneTenant)
        cli.out.note('\nInvite the others: spaces invite create --email ADDRESS')
      }),
    )
}
