import { type Client, type Decision, type DecisionListAllInput, PAGES } from '@collab-spaces/client'
import { Option } from '@commander-js/extra-typings'
import type { Verb } from '../../command.js'
import { wholeNumber } from '../../options/parsers.js'
import {
  countsOfDecisions,
  DECISION_FILTERS,
  DECISION_STATUSES,
  listOfAllDecisions,
  listOfDecisions,
} from '../../show/decision.js'
import { withClient } from '../../start.js'
import { namesBeside, namesIn } from './names.js'

const { max: PAGE, default: DEFAULT_LIMIT } = PAGES.decisions

export const list: Verb = (decision) => {
  decision
    .command('list')
    .description('List the decisions of a space, oldest first; without one, the newest of all spaces you have joined')
    .argument('[space]', 'Space ID')
    .addOption(new Option('--status <status>', 'Filter by status').choices(DECISION_STATUSES))
    .addOption(
      new Option('--filter <filter>', 'Those that can be resolved, of all or of you, or those in force').choices(
        DECISION_FILTERS,
      ),
    )
    .option(
      '--limit <n>',
      `Maximum number of decisions, newest first (default without a space: ${DEFAULT_LIMIT})`,
      wholeNumber,
    )
    .option('--before <decision>', 'Decisions proposed before this one, by its whole ID, newest first')
    .addHelpText(
      'after',
      `
Examples:
  $ spaces decision list plans --status proposed
  $ spaces decision list --filter waiting_for_me
  $ spaces decision list plans --filter in_force`,
    )
    .action(
      withClient(async (client, cli, space_id, { status, filter, limit, before }) => {
        if (space_id === undefined || filter !== undefined || limit !== undefined || before !== undefined) {
          const count = limit ?? DEFAULT_LIMIT
          const [decisions, names] = await Promise.all([
            newestDecisions(client, { space_id, status, filter }, count, before),
            namesBeside(cli, client),
          ])
          await cli.out.longResult(decisions, (decisions, style) => listOfAllDecisions(decisions, names, style))
          if (decisions.length === count) cli.out.note(`\nMore: add --before ${decisions.at(-1)?.decision_id}`)
          return
        }
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

type Which = Pick<DecisionListAllInput, 'space_id' | 'status' | 'filter'>

async function newestDecisions(
  client: Client,
  which: Which,
  count: number,
  before: string | undefined,
): Promise<Decision[]> {
  const decisions: Decision[] = []
  let cursor = before
  while (decisions.length < count) {
    const limit = Math.min(count - decisions.length, PAGE)
    const page = await client.rest('decision.listAll', { ...which, limit, cursor })
    decisions.push(...page)
    if (page.length < limit) break
    cursor = page.at(-1)?.decision_id
  }
  return decisions
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
