import type { Verb } from '../../command.js'
import { givenText } from '../../input/text.js'
import { oneDecision } from '../../show/decision.js'
import { start } from '../../start.js'
import { namesIn } from './names.js'

interface Settling {
  readonly verb: string
  readonly description: string
  readonly status: 'resolved' | 'rejected'
  /** What the person is asked who has not said why. */
  readonly question: string
}

/** A proposal is settled once, this way or the other, and always with a word about it. */
const settle =
  ({ verb, description, status, question }: Settling): Verb =>
  (decision) => {
    decision
      .command(verb)
      .description(description)
      .argument('<space>', 'its id')
      .argument('<decision>', 'its id')
      .option('--resolution <text>', 'why, and what follows; -: from standard input')
      .action(
        start(async (cli, space_id, decision_id, { resolution: given }) => {
          const client = await cli.client()
          const ask = { message: question, flag: '--resolution' }
          const resolution = given === undefined ? await cli.prompt.text(ask) : await givenText(cli, [given], ask)
          const { actor_id: resolved_by } = await client.actor.me.query()
          const settled = await client.decision.resolve.mutate({
            space_id,
            decision_id,
            resolved_by,
            resolution,
            status,
          })
          const names = await namesIn(cli, client, space_id)
          cli.out.result(settled, (settled, style) => oneDecision(settled, names, style))
        }),
      )
  }

export const resolve = settle({
  verb: 'resolve',
  description: 'Settle a proposal: it is decided',
  status: 'resolved',
  question: 'What was decided?',
})

export const reject = settle({
  verb: 'reject',
  description: 'Settle a proposal: it is not to be',
  status: 'rejected',
  question: 'Why not?',
})
