import type { Verb } from '../../command.js'
import { oneThread } from '../../show/thread.js'
import { start as startCommand } from '../../start.js'

export const start: Verb = (thread) => {
  thread
    .command('start')
    .description('Start a thread about an event, or show the one it has')
    .argument('<space>', 'Space ID')
    .argument('<event>', 'Event the thread is about')
    .requiredOption('--subject <text>', 'Subject of the thread (required)')
    .action(
      startCommand(async (cli, space_id, parent_event_id, { subject }) => {
        const client = await cli.client()
        const thread = await client.thread.start.mutate({ space_id, parent_event_id, subject })
        cli.out.result(thread, oneThread)
        cli.out.note(`\nSay something in it: spaces say ${space_id} --thread ${thread.thread_id} "Hello"`)
      }),
    )
}
