import type { Verb } from '../../command.js'
import { listOfSpaceActs } from '../../show/act.js'
import { withClient } from '../../start.js'
import { namesIn } from '../decision/names.js'

export const history: Verb = (policy) => {
  policy
    .command('history')
    .description('Show who changed the policy or the owners of a space, and what was before')
    .argument('<space>', 'Space ID')
    .action(
      withClient(async (client, cli, space_id) => {
        const [acts, names] = await Promise.all([
          client.rest('space.acts', { space_id, about: 'space' }),
          namesIn(cli, client, space_id),
        ])
        await cli.out.longResult(acts, (acts, style) => listOfSpaceActs(acts, names, style))
      }),
    )
}
