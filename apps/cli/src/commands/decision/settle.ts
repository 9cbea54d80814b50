import { Option } from '@commander-js/extra-typings'
import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { fullId } from '../../id/full-id.js'
import { decisionsIn } from '../../id/kind.js'
import { EDITOR, givenText } from '../../input/text.js'
import { HELD_CLAIM } from '../../options/held-claim.js'
import { jsonObject } from '../../options/parsers.js'
import { oneDecision } from '../../show/decision.js'
import { withClient } from '../../start.js'
import { namesIn } from './names.js'
import { placed } from './place.js'

interface SettleCommand {
  readonly status: 'resolved' | 'rejected'
  readonly description: string
  /** The prompt for the resolution. */
  readonly question: string
}

/** A proposal is resolved or rejected, once, and always with a resolution. */
const settle =
  (verb: string, { status, description, question }: SettleCommand): Verb =>
  (decision) => {
    decision
      .command(verb)
      .description(description)
      .argument('<space>', 'Space ID; a whole decision ID needs none before it')
      .argument('[decision]', 'Decision ID')
      .argument('[outcome...]', 'Outcome and reasons')
      .option('--resolution <text>', 'Outcome and reasons, or - for standard input')
      .addOption(new Option('--option <id>', 'Option that it chooses').hideHelp(status === 'rejected'))
      .addOption(
        new Option('--arguments <json>', 'Arguments of its action instead of the proposed ones, as a JSON object')
          .argParser(jsonObject)
          .hideHelp(status === 'rejected'),
      )
      .option(...HELD_CLAIM)
      .option(...EDITOR)
      .action(
        withClient(async (client, cli, first, second, rest, options) => {
          const { resolution: flag, option, arguments: edited, claim, editor } = options
          const { space_id, wanted, words } = await placed(
            client,
            [first, second, ...rest].filter((word) => word !== undefined),
          )
          if (words.length > 0 && flag !== undefined) throw usage('The resolution was given twice')
          const given = words.length > 0 ? words : flag
          const decision_id = await fullId(cli, decisionsIn(client, space_id), wanted)
          const ask = { message: question, required: '--resolution', inEditor: editor }
          const resolution =
            given === undefined && !editor
              ? await cli.prompt.text(ask)
              : await givenText(cli, [given ?? []].flat(), ask)
          const { actor_id: resolved_by } = await client.actor.me.query()
          const settled = await client.decision.resolve.mutate({
            space_id,
            decision_id,
            resolved_by,
            resolution,
            status,
            option,
            arguments: edited,
            claim: cli.claimFor(claim, { space_id }),
          })
          const names = await namesIn(cli, client, space_id)
          cli.out.result(settled, (settled, style) => oneDecision(settled, names, style))
        }),
      )
  }

export const resolve = settle('resolve', {
  status: 'resolved',
  description: 'Resolve a proposed decision',
  question: 'What was decided?',
})

export const reject = settle('reject', {
  status: 'rejected',
  description: 'Reject a proposed decision',
  question: 'Why is it rejected?',
})
