import type { Event } from '@collab-spaces/client'
import { Option } from '@commander-js/extra-typings'
import type { Define } from '../../command.js'
import { follow } from '../../event/follow.js'
import { idOf } from '../../event/member.js'
import { type Selection, selected } from '../../event/selection.js'
import { threadAlone } from '../../event/thread.js'
import { MOMENTS, past } from '../../options/moment.js'
import { wholeNumber } from '../../options/whole-number.js'
import { Conversation } from '../../show/event.js'
import { startUntilInterrupted } from '../../start.js'

export const define: Define = (read) => {
  read
    .argument('<space>', 'its id')
    .option('--tail <n>', 'the last N of them; without any of these options: the last 20', wholeNumber)
    .option('--since <event>', 'what comes after an event')
    .addOption(new Option('--thread <id>', 'what was said in a thread').conflicts(['since', 'mentions', 'from', 'to']))
    .addOption(
      new Option('--mentions [actor]', 'what mentions you, or somebody else by name or id').conflicts(['from', 'to']),
    )
    .addOption(new Option('--from <time>', `from a moment on: ${MOMENTS}`).argParser(past).conflicts('since'))
    .addOption(new Option('--to <time>', 'up to a moment').argParser(past).conflicts(['since', 'follow']))
    .option('--follow', 'go on with what is said from now on, until Ctrl-C')
    .addHelpText(
      'after',
      `
Examples:
  $ spaces read plans --follow
  $ spaces read plans --from 2d --to 1d
  $ spaces read plans --mentions --json
  $ spaces read plans --since "$(cat cursor)" --follow --json   # an event a line, none twice, none missing`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, space_id, { follow: goesOn, mentions, thread, ...options }) => {
        const client = await cli.client()
        const [me, members] = await Promise.all([
          client.actor.me.query(undefined, { signal }),
          client.participant.list.query({ space_id }, { signal }),
        ])
        // A thread may be named by the event it is anchored on; its events know only the thread.
        const selection = {
          ...options,
          space_id,
          thread: thread && (await threadAlone(client, space_id, thread, signal)).thread_id,
          mentioned: mentions === true ? me.actor_id : mentions && idOf(mentions, space_id, members),
        }
        const conversation = new Conversation({ screen: cli.out, members, actorId: me.actor_id })
        if (goesOn) {
          const show = (event: Event) => cli.out.item(event, () => conversation.add(event), signal)
          return follow(cli, { client, signal }, selection, show)
        }
        const events = await selected({ client, signal }, selection)
        await cli.out.longResult(events, () => conversation.all(events) || nothing(selection))
      }),
    )
}

function nothing({ space_id, ...chosen }: Selection): string {
  const isChosen = Object.values(chosen).some((given) => given !== undefined)
  if (isChosen) return `Nothing in ${space_id} is like that`
  return `Nothing has been said in ${space_id} yet. Begin with: spaces say ${space_id} "Hello"`
}
