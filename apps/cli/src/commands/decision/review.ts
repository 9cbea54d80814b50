import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { decisionsIn } from '../../id/kind.js'
import { givenText } from '../../input/text.js'
import { HELD_CLAIM } from '../../options/held-claim.js'
import { oneDecision } from '../../show/decision.js'
import { withClient } from '../../start.js'
import { namesIn } from './names.js'

interface Reviewing {
  readonly verb: string
  readonly description: string
  readonly verdict: 'approve' | 'reject'
}

const review =
  ({ verb, description, verdict }: Reviewing): Verb =>
  (decision) => {
    decision
      .command(verb)
      .description(description)
      .argument('<space>', 'Space ID')
      .argument('<decision>', 'Decision ID')
      .option('--note <text>', 'Reasons, or - for standard input')
      .option(...HELD_CLAIM)
      .action(
        withClient(async (client, cli, space_id, wanted, { note: given, claim: held }) => {
          const decision_id = await fullId(cli, decisionsIn(client, space_id), wanted)
          const ask = { message: 'Why?', required: '--note' }
          const note = given === undefined ? undefined : await givenText(cli, [given], ask)
          const claim = cli.claimFor(held, { space_id })
          const reviewed = await client.decision.review.mutate({ space_id, decision_id, verdict, note, claim })
          const names = await namesIn(cli, client, space_id)
          cli.out.result(reviewed, (reviewed, style) => oneDecision(reviewed, names, style))
        }),
      )
  }

export const approve = review({
  verb: 'approve',
  description: 'Approve a proposed decision, for somebody to resolve it',
  verdict: 'approve',
})

export const disapprove = review({
  verb: 'disapprove',
  description: 'Speak against a proposed decision, or take your approval back',
  verdict: 'reject',
})
