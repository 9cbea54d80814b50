import type { Verb } from '../../command.js'
import { oneSpace } from '../../show/space.js'
import { withClient } from '../../start.js'

export const archive: Verb = (space) => {
  space
    .command('archive')
    .description('Archive a space; its history stays readable')
    .argument('<space>', 'Space ID')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withClient(async (client, cli, space_id, { yes }) => {
        await cli.prompt.confirm(`Archive ${space_id}? After 30 days it cannot be brought back.`, yes)
        cli.out.result(await client.space.archive.mutate({ space_id }), oneSpace)
      }),
    )
}

export const unarchive: Verb = (space) => {
  space
    .command('unarchive')
    .description('Bring an archived space back, within 30 days')
    .argument('<space>', 'Space ID')
    .action(
      withClient(async (client, cli, space_id) => {
        cli.out.result(await client.space.unarchive.mutate({ space_id }), oneSpace)
      }),
    )
}
