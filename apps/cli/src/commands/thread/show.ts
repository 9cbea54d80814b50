import type { Verb } from '../../command.js'
import { threadAlone, threadWithEvents } from '../../event/thread.js'
import { fullId } from '../../id/full-id.js'
import { threadsIn } from '../../id/kind.js'
import { openPage, pageOfThread, WEB } from '../../page.js'
import { conversationIn } from '../../show/thread.js'
import { startUntilInterrupted } from '../../start.js'

export const show: Verb = (thread) => {
  thread
    .command('show')
    .description('Show a thread and its events')
    .argument('<space>', 'Space ID')
    .argument('<thread>', 'Thread ID, or the ID of the event it is about')
    .option(...WEB)
    .action(
      startUntilInterrupted(async (cli, signal, space_id, given, { web }) => {
        const client = await cli.client()
        const id = await fullId(cli, threadsIn(client, space_id), given)
        if (web) {
          const { parent_event_id } = await threadAlone(client, space_id, id, signal)
          return openPage(cli, pageOfThread(space_id, parent_event_id))
        }
        const thread = await threadWithEvents(client, space_id, id, signal)
        await cli.out.longResult(thread, conversationIn)
      }),
    )
}
