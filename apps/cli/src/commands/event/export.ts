import { type Event, SpacesError, type Thread } from '@collab-spaces/client'
import { Option } from '@commander-js/extra-typings'
import type { Define } from '../../command.js'
import { pagesAfter } from '../../event/history.js'
import { threadAlone } from '../../event/thread.js'
import { failed } from '../../failure.js'
import { startUntilInterrupted } from '../../start.js'
import { counted } from '../../terminal/prose.js'
import { openExport } from '../../transfer/export-file.js'

export const define: Define = (command) => {
  command
    .argument('<space>', 'Space ID')
    .option('--output <file>', 'File to write; an existing export is continued where it ends')
    .addOption(new Option('--since <event>', 'Export only what comes after this event').conflicts('output'))
    .addHelpText(
      'after',
      `
Each line is an event, as the API returns it. A thread has a line of its own before its first event: the one without
an event_id.

Examples:
  $ spaces export plans --output plans.ndjson        # run again to continue
  $ spaces export plans | gzip > plans.ndjson.gz
  $ spaces export plans | spaces import plans --profile work`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, space_id, { output, since }) => {
        const client = await cli.client()
        const { event_count } = await client.space.status.query({ space_id }, { signal })
        const earlier = output === undefined ? null : await openExport(output, space_id)
        const { file, threads = new Set<string>() } = earlier ?? {}
        const progress = cli.out.progress()
        let cursor = earlier?.cursor ?? since
        let events = earlier?.events ?? 0
        try {
          for await (const page of pagesAfter(client, space_id, cursor, signal)) {
            const lines = await recordsOf(page, threads, (id) => threadAlone(client, space_id, id, signal))
            await (file ? file.appendFile(lines) : cli.out.verbatim([lines], signal))
            cursor = page.at(-1)?.event_id
            events += page.length
            progress.show(`${events.toLocaleString('en')} of ${counted(event_count, 'event')}`)
          }
        } catch (error) {
          progress.end()
          if (isUnknownCursor(error)) throw notHere(space_id, output ?? `--since ${since}`)
          if (cursor !== undefined) cli.out.note(howToContinue(space_id, output, cursor))
          throw error
        } finally {
          progress.end()
          await file?.close()
        }
        if (output !== undefined) cli.out.note(`${output} has ${counted(events, 'event')}`)
      }),
    )
}

/** The lines for a page of events, with those of the threads that are new in it. */
async function recordsOf(
  page: readonly Event[],
  threads: Set<string>,
  threadOf: (id: string) => Promise<Thread>,
): Promise<string> {
  const lines: string[] = []
  for (const event of page) {
    const { thread_id } = event
    if (thread_id !== null && !threads.has(thread_id)) {
      lines.push(JSON.stringify(await threadOf(thread_id)))
      threads.add(thread_id)
    }
    lines.push(JSON.stringify(event))
  }
  return lines.map((line) => `${line}\n`).join('')
}

const isUnknownCursor = (error: unknown) => error instanceof SpacesError && error.detail === 'Event not found'

const notHere = (spaceId: string, where: string) =>
  failed(`${where}: the last event is not in ${spaceId}`, 'Is this the right server? See: spaces whoami')

const howToContinue = (spaceId: string, output: string | undefined, cursor: string) =>
  output === undefined
    ? `The output ends after event ${cursor}. To continue: spaces export ${spaceId} --since ${cursor}`
    : `${output} ends after event ${cursor}. To continue: spaces export ${spaceId} --output ${output}`
