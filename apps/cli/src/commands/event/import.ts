import { open } from 'node:fs/promises'
import { addAbortSignal, type Readable } from 'node:stream'
import { type Client, SpacesError } from '@collab-spaces/client'
import type { Define } from '../../command.js'
import { failed, usage } from '../../failure.js'
import { isPiped } from '../../input/pipe.js'
import { startUntilInterrupted } from '../../start.js'
import { counted } from '../../terminal/count.js'
import { Importer } from '../../transfer/importer.js'
import { linesOf } from '../../transfer/lines.js'
import { recordIn } from '../../transfer/record.js'

export const define: Define = (command) => {
  command
    .argument('<space>', 'its id')
    .argument('[file]', 'what `spaces export` has written; - or nothing: from standard input')
    .option('--create', 'open the space if it is not there')
    .addHelpText(
      'after',
      `
An event that is there from an earlier import is not added again, so an import that was interrupted is simply repeated.
Ids and times are new; the old ones are in metadata.imported_from of each event.

Examples:
  $ spaces import plans plans.ndjson --create
  $ zcat plans.ndjson.gz | spaces import plans`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, space_id, file, { create }) => {
        const client = await cli.client()
        const input = await inputFrom(file, signal)
        await requireSpace(client, space_id, create, signal)
        const importer = new Importer(client, space_id, signal)
        const progress = cli.out.progress()
        try {
          for await (const { number, text } of linesOf(input)) {
            if (text.trim() === '') continue
            const record = recordIn(text)
            if (!record) {
              await importer.flush()
              throw importer.badLine(number, 'this is no event and no thread of an export')
            }
            if ('event' in record) await importer.addEvent(number, record.event)
            else await importer.addThread(number, record.thread)
            progress.show(`${space_id} has ${counted(importer.counts.events, 'event')}`)
          }
          await importer.flush()
        } catch (error) {
          progress.end()
          if (signal.aborted) {
            cli.out.note(
              `${space_id} has ${counted(importer.counts.events, 'event')} of this history. The same again goes on.`,
            )
          }
          throw error
        } finally {
          progress.end()
          input.destroy()
        }
        cli.out.result(
          importer.counts,
          ({ events, threads }) =>
            `${space_id} has ${counted(events, 'event')} and ${counted(threads, 'thread')} of this history`,
        )
      }),
    )
}

async function inputFrom(file: string | undefined, signal: AbortSignal): Promise<Readable> {
  if (file === undefined && !isPiped()) throw usage('FILE is missing', 'Or pipe it in: spaces import SPACE < FILE')
  return addAbortSignal(signal, file === undefined || file === '-' ? process.stdin : await streamOf(file))
}

async function streamOf(path: string): Promise<Readable> {
  const file = await open(path).catch((error: Error) => {
    throw failed(`${path} cannot be read: ${error.message}`)
  })
  if ((await file.stat()).isDirectory()) throw failed(`${path} cannot be read: it is a directory`)
  return file.createReadStream()
}

/** Asked first: an import of nothing into a space that is not there would seem to succeed. */
async function requireSpace(client: Client, space_id: string, create: true | undefined, signal: AbortSignal) {
  try {
    await client.space.status.query({ space_id }, { signal })
  } catch (error) {
    if (!(error instanceof SpacesError) || error.status !== 404) throw error
    if (!create) throw failed(error.detail, `Open it with: spaces space create ${space_id}, or give --create`)
    await client.space.create.mutate({ space_id }, { signal })
  }
}
