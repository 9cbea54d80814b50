import { type ActiveThread, type Client, PAGES } from '@collab-spaces/client'
import { nounWith, type Verb } from '../command.js'
import { threadAlone, threadWithEvents } from '../event/thread.js'
import { fullId } from '../id/full-id.js'
import { eventsIn, threadsIn } from '../id/kind.js'
import { withNamedIn } from '../id/named.js'
import { wholeNumber } from '../options/parsers.js'
import { openPage, pageOfThread, WEB } from '../page.js'
import { conversationIn, listOfThreads, oneThread } from '../show/thread.js'
import { startUntilInterrupted, withClient } from '../start.js'

const start: Verb = (thread) => {
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

const { max: PAGE, default: DEFAULT_LIMIT } = PAGES.threads

export const list: Verb = (thread) => {
  thread
    .command('list')
    .description('List the threads of a space, those with the newest activity first')
    .argument('<space>', 'Space ID')
    .option('--limit <n>', `Maximum number of threads (default: ${DEFAULT_LIMIT})`, wholeNumber)
    .option('--before <thread>', 'Threads after this one in the list')
    .action(
      withClient(async (client, cli, space_id, { limit = DEFAULT_LIMIT, before }) => {
        const end = before && (await fullId(cli, threadsIn(client, space_id), before))
        const threads = await newestThreads(client, space_id, limit, end)
        await cli.out.longResult(threads, (threads, style) => listOfThreads(space_id, threads, style))
        await cli.numbers({ noun: 'thread', space: space_id }, threads, ({ thread_id }) => thread_id)
        if (threads.length === limit)
          cli.out.note(`\nMore: spaces thread list ${space_id} --before ${threads.at(-1)?.thread_id}`)
      }),
    )
}

/** One that becomes active between two pages may be on both. */
async function newestThreads(
  client: Client,
  space_id: string,
  count: number,
  before: string | undefined,
): Promise<ActiveThread[]> {
  const threads = new Map<string, ActiveThread>()
  let cursor = before
  while (threads.size < count) {
    const limit = Math.min(count - threads.size, PAGE)
    const page = await client.thread.list.query({ space_id, limit, before: cursor })
    for (const thread of page) threads.set(thread.thread_id, thread)
    if (page.length < limit) break
    cursor = page.at(-1)?.thread_id
  }
  return [...threads.values()]
}

export const show: Verb = (thread) => {
  thread
    .command('show')
    .description('Show a thread and its events')
    .argument('<space>', 'Space ID')
    .argument('<thread>', 'Thread ID, or the ID of the event or decision it is about')
    .option(...WEB)
    .action(
      startUntilInterrupted(async (cli, signal, space_id, given, { web }) => {
        const client = await cli.client()
        const id = await fullId(cli, threadsIn(client, space_id), given)
        if (web) {
          const { parent_event_id, thread_id } = await threadAlone(client, space_id, id, signal)
          return openPage(cli, pageOfThread(space_id, parent_event_id ?? thread_id))
        }
        const thread = await threadWithEvents(client, space_id, id, signal)
        await cli.out.longResult(thread, conversationIn)
      }),
    )
}

export const define = nounWith(list, start, show)
