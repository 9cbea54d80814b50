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
        const thread = await client.thread.get.query({ space_id, event_id })
        await cli.out.longResult(thread, (thread) => threadWithEvents(thread, cli.out))
      }),
    )
}
