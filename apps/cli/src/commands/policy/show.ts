import type { Verb } from '../../command.js'
import { onePolicy } from '../../show/policy.js'
import { withClient } from '../../start.js'
import { namesIn } from '../decision/names.js'

export const show: Verb = (policy) => {
  policy
    .command('show')
    .description('Show who settles the decisions of a space, and its loop guard')
    .argument('<space>', 'Space ID')
    .action(
      withClient(async (client, cli, space_id) => {
        const [policy, names] = await Promise.all([
          client.policy.get.query({ space_id }),
          namesIn(cli, client, space_id),
        ])
        cli.out.result(policy, (policy, style) => onePolicy(policy, names, style))
      }),
    )
}
