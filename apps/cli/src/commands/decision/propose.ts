import type { Verb } from '../../command.js'
import { actorsIn } from '../../event/participant.js'
import { fullId } from '../../id/full-id.js'
import { decisionsIn } from '../../id/kind.js'
import { EDITOR, givenText } from '../../input/text.js'
import { optionsOf, optionText } from '../../options/decision-option.js'
import { HELD_CLAIM } from '../../options/held-claim.js'
import { future, MOMENTS } from '../../options/moment.js'
import { listed } from '../../options/parsers.js'
import { actionFrom } from '../../proof/action.js'
import { oneDecision } from '../../show/decision.js'
import { withClient } from '../../start.js'
import { namesIn } from './names.js'
import { nextStep } from './next-step.js'

export const propose: Verb = (decision) => {
  decision
    .command('propose')
    .description('Propose a decision')
    .argument('<space>', 'Space ID')
    .argument('[text...]', 'Proposal, or - for standard input (default when piped)')
    .option('--assign <actor>', 'Participant who is asked to settle it, by name or ID (repeatable)', listed)
    .option('--supersedes <decision>', 'Decision whose place it takes when it is resolved')
    .option('--review-at <time>', `When to look at it again: ${MOMENTS}`, future)
    .option('--option <id=label>', 'Answer to choose from (repeatable, at least 2)', optionText)
    .option('--denies <id>', 'Option that permits nothing (repeatable)', listed)
    .option('--action <file>', 'Action that it authorizes once, as JSON: {"type": …, "arguments": {…}}')
    .option('--expires <time>', `Until when it can be resolved and used: ${MOMENTS}`, future)
    .option(...HELD_CLAIM)
    .option(...EDITOR)
    .addHelpText(
      'after',
      `
Examples:
  $ spaces decision propose plans We go to the sea
  $ spaces decision propose plans < proposal.md
  $ spaces decision propose plans Deploy 82 --action deploy.json --option go=Deploy --option no=Wait --denies no
  $ spaces decision propose plans We fly after all --supersedes last --assign Grace --review-at 30d`,
    )
    .action(
      withClient(
        async (
          client,
          cli,
          space_id,
          words,
          { assign, supersedes, reviewAt, option, denies, action, expires, claim, editor },
        ) => {
          const text = await givenText(cli, words, {
            message: 'What do you propose?',
            required: 'TEXT',
            inEditor: editor,
          })
          const authorized = action === undefined ? undefined : (await actionFrom(action)).action
          const proposer = await client.actor.me.query()
          const proposal = await client.decision.propose.mutate({
            space_id,
            proposed_by: proposer.actor_id,
            text,
            assignees: assign && (await actorsIn(client, space_id, assign)),
            supersedes: supersedes && (await fullId(cli, decisionsIn(client, space_id), supersedes)),
            review_at: reviewAt,
            options: optionsOf(option, denies),
            action: authorized,
            expires_at: expires,
            claim: cli.claimFor(claim, { space_id }),
          })
          const names = await namesIn(cli, client, space_id)
          cli.out.result(proposal, (proposal, style) => oneDecision(proposal, names, style))
          if (cli.out.json) return
          const policy = await client.policy.get.query({ space_id })
          cli.out.note(`\n${nextStep(proposal, policy, proposer, names)}`)
        },
      ),
    )
}
