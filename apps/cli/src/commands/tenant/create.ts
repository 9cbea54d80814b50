import type { Verb } from '../../command.js'
import { oneTenant } from '../../show/tenant.js'
import { start } from '../../start.js'
import { counted } from '../../terminal/prose.js'
import { tellWhatMoves, tellWhatStays } from './departure.js'

/** How much longer than usual the server may need, as it moves whole histories. */
const MOVE_MS = 120_000

export const create: Verb = (tenant) => {
  tenant
    .command('create')
    .description('Create a tenant and move into it as its admin, with your agents and the spaces that only you are in')
    .argument('<name>', 'Name of the tenant')
    .option('--leave-spaces', 'Leave your spaces behind')
    .option('--yes', 'Skip the confirmation prompt')
    .addHelpText(
      'after',
      `
A space comes along, with its whole history, if only you and your agents have been in it. The command lists what
comes along and what stays before it asks.

Examples:
  $ spaces tenant create Acme
  $ spaces tenant create Acme --leave-spaces --yes`,
    )
    .action(
      start(async (cli, name, { leaveSpaces, yes }) => {
        const client = await cli.client(MOVE_MS)
        const plan = leaveSpaces ? null : await client.tenant.planMove.query()
        if (plan) await tellWhatMoves(cli, client, plan)
        else await tellWhatStays(cli, client)
        const moving = plan?.moves.length ?? 0
        const question =
          moving > 0
            ? `Move into a new tenant with your agents and ${counted(moving, 'space')}?`
            : 'Move into a new tenant with your agents? Your current spaces stay behind.'
        await cli.prompt.confirm(question, yes)
        const created = await client.tenant.create.mutate({ name, bring_spaces: !leaveSpaces })
        cli.out.result(created, oneTenant)
        const moved = created.spaces?.moves.length ?? 0
        if (moved > 0) cli.out.note(`\n${counted(moved, 'space')} came along`)
        cli.out.note('\nInvite people: spaces invite create --email ADDRESS')
      }),
    )
}
