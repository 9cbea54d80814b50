import type { Verb } from '../../command.js'
import { threadWithEvents } from '../../event/thread.js'
import { conversationIn } from '../../show/thread.js'
import { startUntilInterrupted } from '../../start.js'

export const show: Verb = (thread) => {
  thread
    .command('show')
    .description('A thread with what was said in it')
    .argument('<space>', 'its id')
    .argument('<id>', 'the thread, or the event that it was started on')
    .action(
      startUntilInterrupted(async (cli, signal, space_id, id) => {
        const thread = await threadWithEvents(await cli.client(), space_id, id, signal)
        await cli.out.longResult(thread, (thread) => conversationIn(thread, cli.out))
      }),
    )
}
