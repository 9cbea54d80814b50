import { PAGES } from '@collab-spaces/client'
import { nounWith, type Verb } from '../command.js'
import { failed } from '../failure.js'
import { downloadTo, safeName } from '../file/download.js'
import { fullId } from '../id/full-id.js'
import { filesIn } from '../id/kind.js'
import { withNamedIn } from '../id/named.js'
import { wholeNumber } from '../options/parsers.js'
import { listOfFiles, oneFile, sizeInWords } from '../show/file.js'
import { startUntilInterrupted, withClient } from '../start.js'

const { default: DEFAULT_LIMIT } = PAGES.files

export const list: Verb = (file) => {
  file
    .command('list')
    .description('List the files of a space, newest first')
    .argument('<space>', 'Space ID')
    .option('--limit <n>', `Maximum number of files (default: ${DEFAULT_LIMIT})`, wholeNumber)
    .option('--before <file>', 'Files after this one in the list')
    .action(
      withClient(async (client, cli, space_id, { limit = DEFAULT_LIMIT, before }) => {
        const end = before && (await fullId(cli, filesIn(client, space_id), before))
        const files = await client.file.list.query({ space_id, limit, before: end })
        await cli.out.longResult(files, (files, style) => listOfFiles(files, space_id, style))
        await cli.numbers({ noun: 'file', space: space_id }, files, ({ file_id }) => file_id)
        if (files.length === limit)
          cli.out.note(`\nMore: spaces file list ${space_id} --before ${files.at(-1)?.file_id}`)
      }),
    )
}

export const get: Verb = (file) => {
  file
    .command('get')
    .description('Download a file')
    .argument('<space>', 'Space ID')
    .argument('<file>', 'File ID')
    .option('-o, --output <path>', 'Where to write it; - for standard output (default: its name, in this directory)')
    .addHelpText(
      'after',
      `
It never replaces a file. An interrupted download goes on where it was. Its SHA-256 is checked.

Example:
  $ spaces file get plans 1 --output map.png`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, space_id, given, { output }) => {
        const client = await cli.client()
        const file_id = await fullId(cli, filesIn(client, space_id), given)
        if (output === '-') return cli.out.verbatim(client.download(space_id, file_id, { signal }), signal)
        const file = await client.file.get.query({ space_id, file_id })
        if (file.deleted_at !== null) throw failed('The file was deleted')
        const path = output ?? safeName(file)
        const progress = cli.out.progress()
        const onProgress = (bytes: number) =>
          progress.show(`${path}: ${sizeInWords(bytes)} of ${sizeInWords(file.size)}`)
        await downloadTo(client, file, path, { signal, onProgress }).finally(() => progress.end())
        cli.out.result(file, oneFile)
        cli.out.note(`Saved ${path}`)
      }),
    )
}

export const remove: Verb = (file) => {
  file
    .command('delete')
    .description('Delete the bytes of a file; what was said of it stays')
    .argument('<space>', 'Space ID')
    .argument('<file>', 'File ID')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withNamedIn(filesIn, async (client, cli, space_id, file_id, { yes }) => {
        await cli.prompt.confirm(`Delete file ${file_id} of ${space_id}?`, yes)
        cli.out.result(await client.file.delete.mutate({ space_id, file_id }), () => `Deleted ${file_id}.`)
      }),
    )
}

export const define = nounWith(list, get, remove)
