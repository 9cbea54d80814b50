import { isVisible, LIMITS, shorten } from '@collab-spaces/client'
import type { Verb } from '../../command.js'
import { decisionsIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'
import { EDITOR, givenText } from '../../input/text.js'
import { HELD_CLAIM } from '../../options/held-claim.js'
import { Conversation } from '../../show/event.js'
import { cleanLine } from '../../terminal/clean.js'
import { send } from '../event/say.js'

export const discuss: Verb = (decision) => {
  decision
    .command('discuss')
    .description('Say something in the thread about a decision, which its proposer and assignees take part in')
    .argument('<space>', 'Space ID')
    .argument('<decision>', 'Decision ID')
    .argument('[text...]', 'Text, or - for standard input (default when piped)')
    .option('--key <key>', 'Idempotency key: the text is said once per key')
    .option(...HELD_CLAIM)
    .option(...EDITOR)
    .addHelpText(
      'after',
      `
An @Name in the text mentions the participant that it fits. To read the thread: spaces thread show SPACE DECISION

Example:
  $ spaces decision discuss plans last "Why not by train, @Grace?"`,
    )
    .action(
      withNamedIn(decisionsIn, async (client, cli, space_id, decision_id, words, { key, claim, editor }) => {
        const text = await givenText(cli, words, { message: 'What do you say?', required: 'TEXT', inEditor: editor })
        const [me, discussed] = await Promise.all([
          client.actor.me.query(),
          client.decision.get.query({ space_id, decision_id }),
        ])
        const line = cleanLine(discussed.text)
        const subject = isVisible(line) ? shorten(line, LIMITS.subject) : 'Decision'
        const { thread_id } = await client.thread.start.mutate({ space_id, decision_id, subject })
        const event = await send(client, me, {
          ...{ space_id, thread_id, text, mentions_from_text: true },
          idempotency_key: key,
          claim: cli.claimFor(claim, { space_id }),
        })
        const viewer = { style: cli.out.style, actorId: me.actor_id, subjectOf: () => subject }
        cli.out.result(event, () => new Conversation(viewer).one(event))
      }),
    )
}
