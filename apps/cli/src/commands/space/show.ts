import type { Verb } from '../../command.js'
import { openPage, pageOfSpace, WEB } from '../../page.js'
import { oneSpace } from '../../show/space.js'
import { start } from '../../start.js'

export const show: Verb = (space) => {
  space
    .command('show')
    .description('Show a space and its participants')
    .argument('<space>', 'Space ID')
    .option(...WEB)
    .action(
      start(async (cli, space_id, { web }) => {
        if (web) return openPage(cli, pageOfSpace(space_id))
        const client = await cli.client()
        await cli.out.longResult(await client.space.status.query({ space_id }), oneSpace)
      }),
    )
}
