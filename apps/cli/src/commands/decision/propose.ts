import type { Verb } from '../../command.js'
import { givenText } from '../../input/text.js'
import { oneDecision } from '../../show/decision.js'
import { start } from '../../start.js'
import { namesIn } from './names.js'

export const propose: Verb = (decision) => {
  decision
    .command('propose')
    .description('Propose a decision')
    .argument('<space>', 'Space ID')
    .argument('[text...]', 'Proposal, or - for standard input (default when piped)')
    .addHelpText(
      'after',
      `
Examples:
  $ spaces decision propose plans We go to the sea
  $ spaces decision propose plans < proposal.md`,
    )
    .action(
      start(async (cli, space_id, words) => {
        const client = await cli.client()
        const text = await givenText(cli, words, { message: 'What do you propose?', required: 'TEXT' })
        const { actor_id: proposed_by } = await client.actor.me.query()
        const proposal = await client.decision.propose.mutate({ space_id, proposed_by, text })
        const names = await namesIn(cli, client, space_id)
        cli.out.result(proposal, (proposal, style) => oneDecision(proposal, names, style))
        cli.out.note(`\nResolve it: spaces decision resolve ${space_id} ${proposal.decision_id}`)
      }),
    )
}
