import { type Client, SpacesError } from '@collab-spaces/client'
import { SERVICES } from '../../archive/service.js'
import type { Define } from '../../command.js'
import { EXIT, Failure, failed, usage } from '../../failure.js'
import { isPiped } from '../../input/pipe.js'
import { startUntilInterrupted } from '../../start.js'
import { counted } from '../../terminal/prose.js'
import { ExportCheck } from '../../transfer/export-check.js'
import { openSource } from '../../transfer/export-source.js'
import { Importer } from '../../transfer/importer.js'
import { textOf } from '../../transfer/lines.js'
import { recordIn } from '../../transfer/record.js'
import { importArchive } from './archive.js'

export const define: Define = (command) => {
  defineHistory(command)
  const space = command.command('space')
  defineHistory(space.description('Import an exported history into a space, also into one that is named as a service'))
  for (const service of SERVICES) importArchive(command, service)
}

const defineHistory: Define = (command) => {
  command
    .argument('<space>', 'Space ID')
    .argument('[file]', 'Export to import, or - for standard input (default when piped)')
    .option('--create', 'Create the space if it does not exist')
    .addHelpText(
      'after',
      `
Every line is checked before the first one is written: an import that is refused leaves nothing behind. You import as
yourself and as your own agents; to keep other members as speakers, the tenant's policy has to allow it.

Events that were imported before are skipped, so you can run an interrupted import again. Events get new IDs, and keep
their times as occurred_at; metadata.imported_from has the old IDs.

Examples:
  $ spaces import plans plans.ndjson --create
  $ zcat plans.ndjson.gz | spaces import plans`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, space_id, file, _, verb) => {
        // As `import space`, the option is its parent's.
        const { create } = verb.optsWithGlobals()
        if (file === undefined && !isPiped())
          throw usage('FILE is required', 'Or pipe it in: spaces import SPACE < FILE')
        const client = await cli.client()
        const source = await openSource(file === '-' ? undefined : file, signal)
        const check = new ExportCheck(client, space_id, signal)
        const importer = new Importer(client, space_id, check.imported, signal)
        const progress = cli.out.progress()
        let isWriting = false
        try {
          const exists = await requireSpace(client, space_id, create, signal)
          if (exists) await check.learn()
          for await (const line of source.lines()) {
            await check.add(line)
            progress.show(`Checked ${counted(line.number, 'line')}`)
          }
          await check.end()
          isWriting = true
          if (!exists) await client.space.create.mutate({ space_id }, { signal })
          for await (const line of source.lines()) {
            const { number } = line
            const record = recordIn(textOf(line))
            if (!record) throw failed(`line ${number}: the file has changed since it was checked`, 'Import it again')
            if ('event' in record) await importer.addEvent(number, record.event)
            else await importer.addThread(number, record.thread)
            progress.show(`${space_id} has ${counted(importer.counts.events, 'event')}`)
          }
          await importer.flush()
        } catch (error) {
          progress.end()
          if (signal.aborted && isWriting) {
            cli.out.note(
              `${space_id} has ${counted(importer.counts.events, 'event')} of this export. To continue, run the command again.`,
            )
          }
          throw error
        } finally {
          progress.end()
          await source.close()
        }
        cli.out.result(
          importer.counts,
          ({ events, threads }) =>
            `${space_id} has ${counted(events, 'event')} and ${counted(threads, 'thread')} of this export`,
        )
      }),
    )
}

/**
 * Returns whether the space exists. Fails if it takes no events, and if it does not exist without `--create`: an empty import
 * would seem to succeed.
 */
async function requireSpace(
  client: Client,
  space_id: string,
  create: true | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { status } = await client.space.status.query({ space_id }, { signal })
    if (status !== 'active') {
      const hint = `Nothing was imported. Resume it first: spaces space resume ${space_id}`
      throw new Failure(EXIT.conflict, `Space is ${status}`, hint)
    }
    return true
  } catch (error) {
    if (!(error instanceof SpacesError) || error.status !== 404) throw error
    if (!create) throw failed(error.detail, `Create it with --create`)
    return false
  }
}
