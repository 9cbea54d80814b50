import type { Event } from '@collab-spaces/client'
import { Option } from '@commander-js/extra-typings'
import type { Define } from '../../command.js'
import { follow } from '../../event/follow.js'
import { idOf } from '../../event/participant.js'
import { type Selection, selected } from '../../event/selection.js'
import { threadAlone } from '../../event/thread.js'
import { MOMENTS, past } from '../../options/moment.js'
import { wholeNumber } from '../../options/whole-number.js'
import { Conversation } from '../../show/event.js'
import { startUntilInterrupted } from '../../start.js'

export const define: Define = (read) => {
  read
    .argument('<space>', 'Space ID')
    .option('--tail <n>', 'Last N events (default without other filters: 20)', wholeNumber)
    .option('--since <event>', 'Events after this one')
    .addOption(new Option('--thread <id>', 'Events in a thread').conflicts(['since', 'mentions', 'from', 'to']))
    .addOption(
      new Option('--mentions [actor]', 'Events that mention an actor, by name or ID (default: you)').conflicts([
        'from',
        'to',
      ]),
    )
    .addOption(new Option('--from <time>', `Events since this time: ${MOMENTS}`).argParser(past).conflicts('since'))
    .addOption(new Option('--to <time>', 'Events up to this time').argParser(past).conflicts(['since', 'follow']))
    .option('--follow', 'Print new events as they come, until Ctrl-C')
    .addHelpText(
      'after',
      `
Examples:
  $ spaces read plans --follow
  $ spaces read plans --from 2d --to 1d
  $ spaces read plans --mentions --json
  $ spaces read plans --since "$(cat cursor)" --follow --json   # one event per line, none twice, none missing`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, space_id, { follow: isFollowing, mentions, thread, ...options }) => {
        const client = await cli.client()
        const [me, participants] = await Promise.all([
          client.actor.me.query(undefined, { signal }),
          client.participant.list.query({ space_id }, { signal }),
        ])
        // A thread may be named by the event it is about; its own events know only the thread.
        const selection = {
          ...options,
          space_id,
          thread: thread && (await threadAlone(client, space_id, thread, signal)).thread_id,
          mentioned: mentions === true ? me.actor_id : mentions && idOf(mentions, space_id, participants),
        }
        const conversation = new Conversation({ screen: cli.out, participants, actorId: me.actor_id })
        if (isFollowing) {
          const show = (event: Event) => cli.out.item(event, () => conversation.add(event), signal)
          return follow(cli, { client, signal }, selection, show)
        }
        const events = await selected({ client, signal }, selection)
        await cli.out.longResult(events, () => conversation.all(events) || noEvents(selection))
      }),
    )
}

function noEvents({ space_id, ...filters }: Selection): string {
  const isFiltered = Object.values(filters).some((given) => given !== undefined)
  if (isFiltered) return `No matching events in ${space_id}`
  return `No events in ${space_id} yet. Say something: spaces say ${space_id} "Hello"`
}
