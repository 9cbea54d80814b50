import type { Verb } from '../../command.js'
import { countsOfDecisions } from '../../show/decision.js'
import { withClient } from '../../start.js'

export const count: Verb = (decision) => {
  decision
    .command('count')
    .description('Count the decisions of a space by status')
    .argument('<space>', 'Space ID')
    .action(
      withClient(async (client, cli, space_id) => {
        cli.out.result(await client.decision.summary.query({ space_id }), countsOfDecisions)
      }),
    )
}
