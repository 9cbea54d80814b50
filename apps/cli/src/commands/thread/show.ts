import type { Verb } from '../../command.js'
import { threadWithEvents } from '../../event/thread.js'
import { conversationIn } from '../../show/thread.js'
import { startUntilInterrupted } from '../../start.js'

export const show: Verb = (thread) => {
  thread
    .command('show')
    .description('Show a thread and its events')
    .argument('<space>', 'Space ID')
    .argument('<id>', 'ID of the thread, or of the event it is about')
    .action(
      startUntilInterrupted(async (cli, signal, space_id, id) => {
        const thread = await threadWithEvents(await cli.client(), space_id, id, signal)
        await cli.out.longResult(thread, (thread) => conversationIn(thread, cli.out))
      }),
    )
}
