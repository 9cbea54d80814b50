import { type ActiveThread, type Client, PAGES } from '@collab-spaces/client'
import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { threadsIn } from '../../id/kind.js'
import { wholeNumber } from '../../options/whole-number.js'
import { listOfThreads } from '../../show/thread.js'
import { withClient } from '../../start.js'

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
