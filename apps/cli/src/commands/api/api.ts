import type { Define } from '../../command.js'
import { listed } from '../../options/listed.js'
import { start } from '../../start.js'
import { printAnswer } from './answer.js'
import { method, requestTo, send } from './request.js'

export const define: Define = (api) => {
  api
    .argument('<method>', 'HTTP method: GET, POST, PATCH, PUT or DELETE', method)
    .argument('<path>', 'Path on the server, with or without /api')
    .option(
      '--field <name=value>',
      'Text field of the body, or of the query of a GET; name:=value for JSON (repeatable)',
      listed,
    )
    .option('--input <file>', 'File with the request body, or - for standard input')
    .option('--header <name:value>', 'Request header (repeatable)', listed)
    .addHelpText(
      'after',
      `
Prints the body as it arrives; JSON is indented on a terminal. The body of an error is printed, too, and with --json goes
to standard error.

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
