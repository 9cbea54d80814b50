import type { Actor, Client, Event, RouterInputs } from '@collab-spaces/client'
import type { Define } from '../../command.js'
import { idOf } from '../../event/participant.js'
import { givenText } from '../../input/text.js'
import { jsonObject } from '../../options/json-object.js'
import { listed } from '../../options/listed.js'
import { Conversation } from '../../show/event.js'
import { start } from '../../start.js'

export const define: Define = (say) => {
  say
    .argument('<space>', 'Space ID')
    .argument('[text...]', 'Text, or - for standard input (default when piped)')
    .option('--thread <id>', 'Thread to post to')
    .option('--reply-to <event>', 'Event to reply to')
    .option('--mention <actor>', 'Participant to mention, by name or ID (repeatable)', listed)
    .option('--metadata <json>', 'Metadata, as a JSON object', jsonObject)
    .option('--key <key>', 'Idempotency key: the text is said once per key')
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
        const text = await givenText(cli, words, {
          message: `What do you want to say in ${space_id}?`,
          required: 'TEXT',
        })
        const [me, participants] = await Promise.all([
          client.actor.me.query(),
          mention ? client.participant.list.query({ space_id }) : [],
        ])
        const mentions = mention?.map((wanted) => idOf(wanted, space_id, participants))
        const event = await send(client, me, {
          space_id,
          text,
          thread_id: thread,
          parent_event_id: replyTo,
          metadata: metadata || mentions ? { ...metadata, ...(mentions && { mentions }) } : undefined,
          idempotency_key: key,
        })
        const conversation = new Conversation({ screen: cli.out, participants, actorId: me.actor_id })
        cli.out.result(event, () => conversation.one(event))
      }),
    )
}

/** Agents respond, and humans speak. */
const send = (client: Client, me: Actor, said: RouterInputs['event']['response']): Promise<Event> =>
  me.actor_type === 'agent' ? client.event.response.mutate(said) : client.event.speech.mutate(said)
