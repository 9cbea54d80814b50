import type { Define } from '../../command.js'
import { listed } from '../../options/listed.js'
import { start } from '../../start.js'
import { printAnswer } from './answer.js'
import { method, requestTo, send } from './request.js'

export const define: Define = (api) => {
  api
    .argument('<method>', 'GET, POST, PATCH, PUT or DELETE', method)
    .argument('<path>', 'on your server, with or without /api, with its query')
    .option(
      '--field <name=value>',
      'a text of the body, or of the query in a GET; name:=value for JSON; may be given again',
      listed,
    )
    .option('--input <file>', 'the whole body; -: from standard input')
    .option('--header <name:value>', 'a header; may be given again', listed)
    .addHelpText(
      'after',
      `
Prints the body as it came, or easy to read when you look at it yourself. The exit code tells how it went; the body of
an error is printed too, but with --json it goes to standard error like every other. Streams are printed as they come.

Examples:
  $ spaces api GET spaces/plans/status
  $ spaces api POST spaces/plans/speech --field text="Hello" --field metadata:='{"mentions": []}'
  $ spaces api POST actors --input agent.json
  $ spaces api GET spaces/plans/transcript > plans.json
  $ spaces api GET spaces/plans/events/stream`,
    )
    .action(
      start(async (cli, method, path, { field: fields = [], input, header: headers = [] }) => {
        const request = await requestTo(await cli.account(), { method, path, fields, input, headers })
        await printAnswer(cli, await send(request))
      }),
    )
}
