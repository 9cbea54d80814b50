import type { Client, Event } from '@collab-spaces/client'
import { Option } from '@commander-js/extra-typings'
import { idOf } from '../../event/member.js'
import { type Selection, selected } from '../../event/selection.js'
import type { Define } from '../../program.js'
import { Conversation } from '../../show/event.js'
import { startUntilInterrupted } from '../../start.js'
import { MOMENTS, moment } from '../moment.js'
import { wholeNumber } from '../number.js'
import { follow } from './follow.js'

export const define: Define = (read) => {
  read
    .argument('<space>', 'its id')
    .option('--tail <n>', 'the last N of them; without any of these options: the last 20', wholeNumber)
    .option('--since <event>', 'what comes after an event')
    .addOption(new Option('--thread <id>', 'what was said in a thread').conflicts(['since', 'mentions', 'from', 'to']))
    .addOption(
      new Option('--mentions [actor]', 'what mentions you, or somebody else by name or id').conflicts(['from', 'to']),
    )
    .addOption(
      new Option('--from <time>', `from a moment on, ${MOMENTS}`)
        .argParser((given) => moment(given))
        .conflicts('since'),
    )
    .addOption(
      new Option('--to <time>', 'up to a moment').argParser((given) => moment(given)).conflicts(['since', 'follow']),
    )
    .option('--follow', 'go on with what is said from now on, until Ctrl-C')
    .addHelpText(
      'after',
      `
Examples:
  spaces read plans --follow
  spaces read plans --from 2d --to 1d
  spaces read plans --mentions --json
  spaces read plans --since "$(cat cursor)" --follow --json   # an event a line, none twice, none missing`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, space_id, { follow: goesOn, mentions, thread, ...options }) => {
        const client = await cli.client()
        const [me, members] = await Promise.all([
          client.actor.me.query(undefined, { signal }),
          client.participant.list.query({ space_id }, { signal }),
        ])
        const selection = {
          ...options,
          space_id,
          thread: thread && (await threadIdOf(client, space_id, thread, signal)),
          mentioned: mentions === true ? me.actor_id : mentions && idOf(mentions, space_id, members),
        }
        const conversation = new Conversation({ screen: cli.out, members, actorId: me.actor_id })
        if (goesOn) {
          const show = (event: Event) => cli.out.item(event, () => conversation.add(event))
          return follow(cli, client, selection, signal, show)
        }
        const events = await selected(client, selection, signal)
        await cli.out.longResult(events, () => conversation.all(events) || nothing(selection))
      }),
    )
}

/** A thread may be named by the event it is anchored on; its events know only the thread. */
async function threadIdOf(client: Client, space_id: string, event_id: string, signal: AbortSignal): Promise<string> {
  return (await client.thread.get.query({ space_id, event_id }, { signal })).thread.thread_id
}

function nothing({ space_id, ...chosen }: Selection): string {
  const isChosen = Object.values(chosen).some((given) => given !== undefined)
  if (isChosen) return `Nothing in ${space_id} is like that`
  return `Nothing has been said in ${space_id} yet. Begin with: spaces say ${space_id} "Hello"`
}
