import type { Verb } from '../../command.js'
import { eventsIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'
import { oneThread } from '../../show/thread.js'

export const start: Verb = (thread) => {
  thread
    .command('start')
    .description('Start a thread about an event, or show the one it has')
    .argument('<space>', 'Space ID')
    .argument('<event>', 'Event the thread is about')
    .requiredOption('--subject <text>', 'Subject of the thread (required)')
    .action(
      withNamedIn(eventsIn, async (client, cli, space_id, parent_event_id, { subject }) => {
        const thread = await client.thread.start.mutate({ space_id, parent_event_id, subject })
        cli.out.result(thread, oneThread)
        cli.out.note(`\nSay something in it: spaces say ${space_id} --thread ${thread.thread_id} "Hello"`)
      }),
    )
}
