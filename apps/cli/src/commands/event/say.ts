import type { Actor, Client, Event, RouterInputs } from '@collab-spaces/client'
import type { Define } from '../../command.js'
import { idOf } from '../../event/member.js'
import { givenText } from '../../input/text.js'
import { jsonObject } from '../../options/json-object.js'
import { listed } from '../../options/listed.js'
import { Conversation } from '../../show/event.js'
import { start } from '../../start.js'

export const define: Define = (say) => {
  say
    .argument('<space>', 'its id')
    .argument('[text...]', 'what to say; - or nothing: from standard input')
    .option('--thread <id>', 'say it in a thread')
    .option('--reply-to <event>', 'the event it answers')
    .option('--mention <actor>', 'who is meant: the name of a member, or an id; may be given again', listed)
    .option('--metadata <json>', 'anything else, as a JSON object', jsonObject)
    .option('--key <key>', 'say it once, however often this is called with the same key')
    .addHelpText(
      'after',
      `
Examples:
  $ spaces say plans Where shall we go?
  $ spaces say plans "To the mountains" --mention Grace
  $ git log --oneline -5 | spaces say plans`,
    )
    .action(
      start(async (cli, space_id, words, { thread, replyTo, mention, metadata, key }) => {
        const client = await cli.client()
        const text = await givenText(cli, words, { message: `Say in ${space_id}`, flag: 'TEXT' })
        const [me, members] = await Promise.all([
          client.actor.me.query(),
          mention ? client.participant.list.query({ space_id }) : [],
        ])
        const mentions = mention?.map((wanted) => idOf(wanted, space_id, members))
        const event = await utter(client, me, {
          space_id,
          text,
          thread_id: thread,
          parent_event_id: replyTo,
          metadata: metadata || mentions ? { ...metadata, ...(mentions && { mentions }) } : undefined,
          idempotency_key: key,
        })
        const conversation = new Conversation({ screen: cli.out, members, actorId: me.actor_id })
        cli.out.result(event, () => conversation.one(event))
      }),
    )
}

/** An agent answers and a human speaks. Speech answers nothing, so a human's answer is an event of any kind. */
function utter(
  client: Client,
  me: Actor,
  { parent_event_id, ...said }: RouterInputs['event']['response'],
): Promise<Event> {
  if (me.actor_type === 'agent') return client.event.response.mutate({ ...said, parent_event_id })
  if (parent_event_id === undefined) return client.event.speech.mutate(said)
  const speaker = { speaker_id: me.actor_id, speaker_name: me.display_name, speaker_type: 'human' }
  return client.event.append.mutate({ ...said, ...speaker, parent_event_id })
}
