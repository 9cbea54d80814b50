import { type Event, foldRevisions } from '@collab-spaces/client'
import { Option } from '@commander-js/extra-typings'
import type { Define } from '../../command.js'
import { follow } from '../../event/follow.js'
import { idOf } from '../../event/participant.js'
import { type Selection, selected } from '../../event/selection.js'
import { Subjects, threadAlone } from '../../event/thread.js'
import { beforeNextEvents } from '../../event/wait.js'
import { fullId } from '../../id/full-id.js'
import { eventsIn, threadsIn } from '../../id/kind.js'
import { MOMENTS, past } from '../../options/moment.js'
import { wholeNumber } from '../../options/parsers.js'
import { openPage, pageOfSpace, WEB } from '../../page.js'
import { Conversation } from '../../show/event.js'
import { startUntilInterrupted } from '../../start.js'
import { styled } from '../../terminal/styled.js'

export const define: Define = (read) => {
  read
    .argument('<space>', 'Space ID')
    .option('--tail <n>', 'Last N events (default without other filters: 20)', wholeNumber)
    .option('--since <event>', 'Events after this one')
    .addOption(
      new Option('--before <event>', 'Events before this one: the 20 last of them, or --tail').conflicts([
        'since',
        'thread',
        'mentions',
        'from',
        'to',
        'follow',
      ]),
    )
    .addOption(new Option('--thread <id>', 'Events in a thread').conflicts(['since', 'mentions', 'from', 'to']))
    .addOption(
      new Option('--mentions [actor]', 'Events that mention an actor, by name or ID (default: you)').conflicts([
        'from',
        'to',
      ]),
    )
    .addOption(new Option('--from <time>', `Events since this time: ${MOMENTS}`).argParser(past).conflicts('since'))
    .addOption(new Option('--to <time>', 'Events up to this time').argParser(past).conflicts(['since', 'follow']))
    .option(...WEB)
    .addOption(
      new Option('--wait', 'Wait for new events, or for those after --since, and print them').conflicts([
        'tail',
        'before',
        'thread',
        'mentions',
        'from',
        'to',
        'follow',
      ]),
    )
    .option('--follow', 'Print new events as they come, until Ctrl-C')
    .addHelpText(
      'after',
      `
Examples:
  $ spaces read plans --follow
  $ spaces read plans --before 019b8d64-62df-7d8d-82e8-fa6b3938ade1   # page backwards
  $ spaces read plans --from 2d --to 1d
  $ spaces read plans --mentions --json
  $ spaces read plans --since "$(cat cursor)" --follow --json   # one event per line, none twice, none missing`,
    )
    .action(
      startUntilInterrupted(
        async (
          cli,
          signal,
          space_id,
          { follow: isFollowing, mentions, thread, since, before, web, wait, ...options },
        ) => {
          if (web) return openPage(cli, pageOfSpace(space_id))
          const client = await cli.client()
          const [me, participants] = await Promise.all([
            client.actor.me.query(undefined, { signal }),
            client.participant.list.query({ space_id }, { signal }),
          ])
          const eventId = (given: string | undefined) => given && fullId(cli, eventsIn(client, space_id), given)
          const threadId = thread && (await fullId(cli, threadsIn(client, space_id), thread))
          const cursor = await eventId(since)
          const selection = {
            ...options,
            space_id,
            since: wait ? await beforeNextEvents({ client, signal }, space_id, cursor) : cursor,
            before: await eventId(before),
            // A thread may be named by the event it is about; its own events know only the thread.
            thread: threadId && (await threadAlone(client, space_id, threadId, signal)).thread_id,
            mentioned: mentions === true ? me.actor_id : mentions && idOf(mentions, space_id, participants),
          }
          const subjects = new Subjects(client, space_id, signal)
          const viewer = { style: cli.out.style, participants, actorId: me.actor_id, subjectOf: subjects.of }
          if (isFollowing) {
            const conversation = new Conversation(viewer)
            const show = async (event: Event) => {
              if (!cli.out.json) await subjects.learn([event])
              await cli.out.item(event, () => conversation.add(event), signal)
            }
            return follow(cli, { client, signal }, selection, show)
          }
          const { events, hasEarlier } = await selected({ client, signal }, selection)
          if (!cli.out.json) await subjects.learn(events)
          const conversation = new Conversation({ ...viewer, isNumbered: Number.isFinite(cli.out.style.columns) })
          await cli.out.longResult(events, () => (events.length > 0 ? conversation.all(events) : noEvents(selection)))
          const numbered = foldRevisions(events)
          await cli.numbers({ noun: 'event', space: space_id }, numbered, ({ event }) => event.event_id)
          if (hasEarlier && events[0]) cli.out.note(cli.out.style.dim(styled`\n${howToReadOn(selection, events[0])}`))
        },
      ),
    )
}

/** By filters other than the last events, there is no way backwards but a larger number. */
function howToReadOn({ space_id, tail, ...filters }: Selection, { event_id }: Event): string {
  const { since, thread, mentioned, from, to } = filters
  const isFiltered = [since, thread, mentioned, from, to].some((given) => given !== undefined)
  if (isFiltered) return 'There are earlier ones. For more of them, raise --tail.'
  return `Earlier events: spaces read ${space_id} --before ${event_id}${tail === undefined ? '' : ` --tail ${tail}`}`
}

function noEvents({ space_id, ...filters }: Selection): string {
  const isFiltered = Object.values(filters).some((given) => given !== undefined)
  if (isFiltered) return `No matching events in ${space_id}`
  return `No events in ${space_id} yet. Say something: spaces say ${space_id} "Hello"`
}
