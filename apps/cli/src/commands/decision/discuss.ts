import type { Verb } from '../../command.js'
import { Subjects } from '../../event/thread.js'
import { decisionsIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'
import { EDITOR, givenText } from '../../input/text.js'
import { HELD_CLAIM } from '../../options/held-claim.js'
import { Conversation } from '../../show/event.js'
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
        const me = await client.actor.me.query()
        const event = await send(client, me, {
          ...{ space_id, decision_id, text, mentions_from_text: true },
          idempotency_key: key,
          claim: cli.claimFor(claim, { space_id }),
        })
        const subjects = new Subjects(client, space_id)
        if (!cli.out.json) await subjects.learn([event])
        const viewer = { style: cli.out.style, actorId: me.actor_id, subjectOf: subjects.of }
        cli.out.result(event, () => new Conversation(viewer).one(event))
      }),
    )
}
