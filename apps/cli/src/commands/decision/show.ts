import type { Verb } from '../../command.js'
import { oneDecision } from '../../show/decision.js'
import { start } from '../../start.js'
import { namesIn } from './names.js'

export const show: Verb = (decision) => {
  decision
    .command('show')
    .description('Show a decision')
    .argument('<space>', 'Space ID')
    .argument('<decision>', 'Decision ID')
    .action(
      start(async (cli, space_id, decision_id) => {
        const client = await cli.client()
        const [decision, names] = await Promise.all([
          client.decision.get.query({ space_id, decision_id }),
          namesIn(cli, client, space_id),
        ])
        await cli.out.longResult(decision, (decision, style) => oneDecision(decision, names, style))
      }),
    )
}
