import { type Actor, type Client, hasMention, type Participant, type RouterInputs } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import type { Define } from '../../command.js'
import { mentionedIn } from '../../event/mention.js'
import { idOf } from '../../event/participant.js'
import { Subjects } from '../../event/thread.js'
import { usage } from '../../failure.js'
import { type OnUpload, uploadAll } from '../../file/upload.js'
import { fullId } from '../../id/full-id.js'
import { eventsIn, threadsIn } from '../../id/kind.js'
import { EDITOR, givenText } from '../../input/text.js'
import { HELD_CLAIM } from '../../options/held-claim.js'
import { MOMENTS, past } from '../../options/moment.js'
import { type JsonObject, jsonObject, listed } from '../../options/parsers.js'
import { Conversation } from '../../show/event.js'
import { sizeInWords } from '../../show/file.js'
import { nameOf, namesOf } from '../../show/participant.js'
import { start } from '../../start.js'

export const define: Define = (say) => {
  say
    .argument('<space>', 'Space ID')
    .argument('[text...]', 'Text, or - for standard input (default when piped)')
    .option('--thread <id>', 'Thread to post to')
    .option('--reply-to <event>', 'Event to reply to')
    .option('--corrects <event>', 'Event of yours whose text this one replaces')
    .option('--mention <actor>', 'Participant to mention, by name or ID (repeatable)', listed)
    .option('--no-mentions', 'Do not resolve @Name in the text to mentions')
    .option('--file <path>', 'File to add, or - for standard input (repeatable)', listed)
    .option('--occurred-at <time>', `When it was said, if earlier: ${MOMENTS}`, past)
    .option('--metadata <json>', 'Metadata, as a JSON object', jsonObject)
    .option('--key <key>', 'Idempotency key: the text is said once per key')
    .option(...HELD_CLAIM)
    .option(...EDITOR)
    .addHelpText(
      'after',
      `
An @Name in the text mentions the participant that it fits, by the whole name or a word of it.

Examples:
  $ spaces say plans Where shall we go?
  $ spaces say plans "To the mountains, @Grace?" --reply-to last
  $ spaces say plans "To the sea, @Grace?" --corrects last
  $ spaces say plans --file map.png "Here it is"
  $ git log --oneline -5 | spaces say plans`,
    )
    .action(
      start(async (cli, space_id, words, options) => {
        const { thread, replyTo, corrects, mention = [], file = [], occurredAt, metadata, key, claim, editor } = options
        if (file.includes('-') && ['', '-'].includes(words.join(' ')))
          throw usage('TEXT is required, as standard input is a file', 'Give the text as an argument')
        const client = await cli.client()
        const text = await givenText(cli, words, {
          message: `What do you want to say in ${space_id}?`,
          required: 'TEXT',
          inEditor: editor,
        })
        const mentionsByName = options.mentions && hasMention(text)
        const [me, participants] = await Promise.all([
          client.actor.me.query(),
          mention.length > 0 || mentionsByName ? client.participant.list.query({ space_id }) : [],
        ])
        const named = mention.map((wanted) => idOf(wanted, space_id, participants))
        const found = mentionsByName ? await mentionedIn(cli, client, { space_id, text, participants }, named) : []
        const mentions = [...new Set([...named, ...found])]
        const parent_event_id = replyTo && (await fullId(cli, eventsIn(client, space_id), replyTo, key))
        const event = await send(client, me, {
          space_id,
          text,
          thread_id: thread && (await fullId(cli, threadsIn(client, space_id), thread, key)),
          parent_event_id,
          corrects: corrects && (await fullId(cli, eventsIn(client, space_id), corrects, key)),
          occurred_at: occurredAt,
          file_ids: await uploaded(cli, client, space_id, options),
          metadata: mentions.length > 0 ? withMentions(metadata, mentions) : metadata,
          idempotency_key: key,
          claim: cli.claimFor(claim, { space_id, event_id: parent_event_id }),
        })
        const subjects = new Subjects(client, space_id)
        if (!cli.out.json) await subjects.learn([event])
        const viewer = { style: cli.out.style, participants, actorId: me.actor_id, subjectOf: subjects.of }
        cli.out.result(event, () => new Conversation(viewer).one(event))
        if (mentions.length > 0) cli.out.note(`Mentioned ${listOfNames(mentions, participants)}`)
      }),
    )
}

type Attached = { readonly file?: readonly string[] | undefined; readonly key?: string | undefined }

async function uploaded(cli: Cli, client: Client, space_id: string, { file: paths, key }: Attached) {
  if (!paths) return
  const progress = cli.out.progress()
  const onUpload: OnUpload = (name, sent, size) =>
    progress.show(`${name}: ${sizeInWords(sent)}${size === undefined ? '' : ` of ${sizeInWords(size)}`}`)
  return uploadAll(client, space_id, paths, { onUpload, key }).finally(() => progress.end())
}

/** Mentions that the metadata already has stay. */
function withMentions(metadata: JsonObject | undefined, mentions: readonly string[]): JsonObject {
  const given = Array.isArray(metadata?.mentions) ? metadata.mentions : []
  return { ...metadata, mentions: [...new Set([...given, ...mentions])] }
}

function listOfNames(ids: readonly string[], participants: readonly Participant[]): string {
  const names = namesOf(participants)
  return new Intl.ListFormat('en').format(ids.map((id) => nameOf(names, id)))
}

/** Agents respond, and humans speak. */
export const send = (client: Client, me: Actor, input: RouterInputs['event']['response']) =>
  me.actor_type === 'agent' ? client.event.response.mutate(input) : client.event.speech.mutate(input)
