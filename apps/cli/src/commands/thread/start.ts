import type { Verb } from '../../command.js'
import { oneThread } from '../../show/thread.js'
import { start as startCommand } from '../../start.js'

export const start: Verb = (thread) => {
  thread
    .command('start')
    .description('Start a thread on an event, or find the one that is there')
    .argument('<space>', 'its id')
    .argument('<event>', 'the event that it is about')
    .requiredOption('--subject <text>', 'what it is about')
    .action(
      startCommand(async (cli, space_id, parent_event_id, { subject }) => {
        const client = await cli.client()
        const thread = await client.thread.start.mutate({ space_id, parent_event_id, subject })
        cli.out.result(thread, oneThread)
        cli.out.note(`\nSay something in it: spaces say ${space_id} --thread ${thread.thread_id} "Hello"`)
      }),
    )
}
