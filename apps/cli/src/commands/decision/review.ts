import type { Verb } from '../../command.js'
import { decisionsIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'
import { givenText } from '../../input/text.js'
import { HELD_CLAIM } from '../../options/held-claim.js'
import { oneDecision } from '../../show/decision.js'
import { namesIn } from './names.js'

const review =
  (verb: string, verdict: 'approve' | 'reject', description: string): Verb =>
  (decision) => {
    decision
      .command(verb)
      .description(description)
      .argument('<space>', 'Space ID')
      .argument('<decision>', 'Decision ID')
      .option('--note <text>', 'Reasons, or - for standard input')
      .option(...HELD_CLAIM)
      .action(
        withNamedIn(decisionsIn, async (client, cli, space_id, decision_id, { note: given, claim: held }) => {
          const ask = { message: 'Why?', required: '--note' }
          const note = given === undefined ? undefined : await givenText(cli, [given], ask)
          const claim = cli.claimFor(held, { space_id })
          const reviewed = await client.decision.review.mutate({ space_id, decision_id, verdict, note, claim })
          const names = await namesIn(cli, client, space_id)
          cli.out.result(reviewed, (reviewed, style) => oneDecision(reviewed, names, style))
        }),
      )
  }

export const approve = review('approve', 'approve', 'Approve a proposed decision')

export const disapprove = review(
  'disapprove',
  'reject',
  'Speak against a proposed decision, or take your approval back',
)
