import type { Verb } from '../../command.js'
import { decisionsIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'
import { listOfActs } from '../../show/act.js'
import { namesIn } from './names.js'

export const history: Verb = (decision) => {
  decision
    .command('history')
    .description('Show the acts about a decision, with their actors and credentials')
    .argument('<space>', 'Space ID')
    .argument('<decision>', 'Decision ID')
    .action(
      withNamedIn(decisionsIn, async (client, cli, space_id, decision_id) => {
        const [acts, names] = await Promise.all([
          client.rest('decision.acts', { space_id, decision_id }),
          namesIn(cli, client, space_id),
        ])
        await cli.out.longResult(acts, (acts, style) => listOfActs(acts, names, style))
      }),
    )
}
