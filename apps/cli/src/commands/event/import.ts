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
    .argument('<space>', 'Space ID')
    .argument('[file]', 'Export to import, or - for standard input (default when piped)')
    .option('--create', 'Create the space if it does not exist')
    .addHelpText(
      'after',
      `
Events that were imported before are skipped, so you can run an interrupted import again. Events get new IDs and times;
the old ones are in metadata.imported_from.

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
              throw importer.badLine(number, 'not an event or a thread of an export')
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
              `${space_id} has ${counted(importer.counts.events, 'event')} of this export. To continue, run the command again.`,
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
            `${space_id} has ${counted(events, 'event')} and ${counted(threads, 'thread')} of this export`,
        )
      }),
    )
}

async function inputFrom(file: string | undefined, signal: AbortSignal): Promise<Readable> {
  if (file === undefined && !isPiped()) throw usage('FILE is required', 'Or pipe it in: spaces import SPACE < FILE')
  return addAbortSignal(signal, file === undefined || file === '-' ? process.stdin : await streamOf(file))
}

async function streamOf(path: string): Promise<Readable> {
  const file = await open(path).catch((error: Error) => {
    throw failed(`Cannot read ${path}: ${error.message}`)
  })
  if ((await file.stat()).isDirectory()) throw failed(`Cannot read ${path}: it is a directory`)
  return file.createReadStream()
}

/** Asked first, as an empty import into a space that does not exist would seem to succeed. */
async function requireSpace(client: Client, space_id: string, create: true | undefined, signal: AbortSignal) {
  try {
    await client.space.status.query({ space_id }, { signal })
  } catch (error) {
    if (!(error instanceof SpacesError) || error.status !== 404) throw error
    if (!create) throw failed(error.detail, `Create it with --create`)
    await client.space.create.mutate({ space_id }, { signal })
  }
}
