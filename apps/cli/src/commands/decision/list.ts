import { Option } from '@commander-js/extra-typings'
import type { Verb } from '../../command.js'
import { countsOfDecisions, DECISION_STATUSES, listOfDecisions } from '../../show/decision.js'
import { withClient } from '../../start.js'
import { namesIn } from './names.js'

export const list: Verb = (decision) => {
  decision
    .command('list')
    .description('List the decisions of a space, oldest first')
    .argument('<space>', 'Space ID')
    .addOption(new Option('--status <status>', 'Filter by status').choices(DECISION_STATUSES))
    .action(
      withClient(async (client, cli, space_id, { status }) => {
        const [decisions, names] = await Promise.all([
          client.rest('decision.list', { space_id, status }),
          namesIn(cli, client, space_id),
        ])
        await cli.out.longResult(decisions, (decisions, style) =>
          listOfDecisions(decisions, { space_id, status }, names, style),
        )
        await cli.numbers({ noun: 'decision', space: space_id }, decisions, ({ decision_id }) => decision_id)
      }),
    )
}

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
