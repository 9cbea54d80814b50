import { Option } from '@commander-js/extra-typings'
import type { Verb } from '../../command.js'
import { listOfSpaces, SPACE_STATUSES } from '../../show/space.js'
import { withClient } from '../../start.js'

export const list: Verb = (space) => {
  space
    .command('list')
    .description('List spaces, newest first')
    .addOption(new Option('--status <status>', 'Filter by status').choices(SPACE_STATUSES))
    .option('--mine', 'List only the spaces you have joined')
    .action(
      withClient(async (client, cli, { status, mine }) => {
        const spaces = await client.rest(mine ? 'actor.mySpaces' : 'space.list', { status })
        await cli.out.longResult(spaces, (spaces, style) => listOfSpaces(spaces, { status, mine }, style))
      }),
    )
}
