import { Option } from '@commander-js/extra-typings'
import { nounWith, type Verb } from '../command.js'
import { actorsIn } from '../event/participant.js'
import { requireChange } from '../failure.js'
import { listed, wholeNumber } from '../options/parsers.js'
import { listOfSpaceActs } from '../show/act.js'
import { onePolicy, SETTLERS } from '../show/policy.js'
import { start, withClient } from '../start.js'
import { namesIn } from './decision/names.js'

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

export const set: Verb = (policy) => {
  policy
    .command('set')
    .description('Change who settles the decisions of a space, or its loop guard')
    .argument('<space>', 'Space ID')
    .addOption(new Option('--settle <who>', 'Who may settle decisions').choices(SETTLERS))
    .option('--named <actor>', 'Participant who may, by name or ID (repeatable; with --settle named)', listed)
    .option('--approvals <number>', 'Approvals that a decision needs to be resolved', wholeNumber)
    .option('--independent', 'Count the approvals of a human and their agents once')
    .option('--no-independent', 'Count every approval')
    .option('--proposer-may-settle', 'Let the proposer of a decision settle it')
    .option('--no-proposer-may-settle', 'Let only others settle it')
    .option(
      '--guard-total <events>',
      'Events that all agents may post until a human does; 0 for any number',
      wholeNumber,
    )
    .option('--guard-per-agent <events>', 'Events that each agent may post until then; 0 for any number', wholeNumber)
    .addHelpText(
      'after',
      `
Examples:
  $ spaces policy set plans --settle humans --approvals 1
  $ spaces policy set plans --guard-total 60 --guard-per-agent 15`,
    )
    .action(
      start(async (cli, space_id, options) => {
        requireChange(options, '--settle, --approvals or --guard-total')
        const { settle: who, named, approvals, independent, proposerMaySettle, guardTotal, guardPerAgent } = options
        const client = await cli.client()
        const changed = await client.policy.set.mutate({
          space_id,
          settle: {
            who,
            named: named && (await actorsIn(client, space_id, named)),
            approvals,
            independent,
            proposer_may_settle: proposerMaySettle,
          },
          loop_guard: { total: guardTotal, per_agent: guardPerAgent },
        })
        const names = await namesIn(cli, client, space_id)
        cli.out.result(changed, (changed, style) => onePolicy(changed, names, style))
      }),
    )
}

const history: Verb = (policy) => {
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

export const define = nounWith(show, set, history)
