import { threadWithEvents } from '../../show/thread.js'
import { start } from '../../start.js'
import type { Verb } from '../verb.js'

export const show: Verb = (thread) => {
  thread
    .command('show')
    .description('A thread with what was said in it')
    .argument('<space>', 'its id')
    .argument('<id>', 'the thread, or the event that it was started on')
    .action(
      start(async (cli, space_id, event_id) => {
        const client = await cli.client()
        const [thread, me, members] = await Promise.all([
          client.thread.get.query({ space_id, event_id }),
          client.actor.me.query(),
          client.participant.list.query({ space_id }),
        ])
        const reader = { screen: cli.out, members, actorId: me.actor_id }
        await cli.out.longResult(thread, (thread) => threadWithEvents(thread, reader))
      }),
    )
}
