import type { Define } from '../../command.js'
import { usage } from '../../failure.js'
import { listed } from '../../options/parsers.js'
import { start } from '../../start.js'
import { printAnswer, printHead } from './answer.js'
import { printPages } from './pages.js'
import { homeOf, methodOf, requestTo, send, type TypedRequest } from './request.js'

export const define: Define = (api) => {
  api
    .argument('[method]', 'HTTP method (default: GET, or POST with fields or --input)')
    .argument('[path]', 'Path on the server, with or without /api')
    .option(
      '-f, --field <name=value>',
      'Text field of the body, or of the query of a GET; name:=value for JSON (repeatable)',
      listed,
    )
    .option(
      '-F, --typed-field <name=value>',
      'Field that is a number, true, false or null if it looks like one; @file for the text of a file (repeatable)',
      listed,
    )
    .option('--input <file>', 'File with the request body, or - for standard input')
    .option('-X, --method <method>', 'HTTP method, in place of the argument')
    .option('-H, --header <name:value>', 'Request header (repeatable)', listed)
    .option('-i, --include', 'Print the status and the headers of the answer, too')
    .option('--paginate', 'Request all pages of a list, and print them as one list')
    .addHelpText(
      'after',
      `
Prints the body as it arrives; JSON is indented on a terminal. The body of an error is printed, too, and with --json goes
to standard error.

Examples:
  $ spaces api spaces/plans/status
  $ spaces api spaces/plans/speech -f text="Hello" -f metadata:='{"mentions": []}'
  $ spaces api spaces/plans/events --paginate --jq '.[].text'
  $ spaces api PATCH spaces/plans -f status=paused        # or: -X PATCH spaces/plans
  $ spaces api actors --input agent.json
  $ spaces api spaces/plans/transcript > plans.json
  $ spaces api spaces/plans/events/stream`,
    )
    .action(
      start(async (cli, first, second, { field = [], typedField = [], input, header = [], paginate, ...options }) => {
        // A path alone is no method.
        const path = second ?? first
        if (path === undefined) throw usage("missing required argument 'path'", 'See: spaces api --help')
        const hasBody = field.length + typedField.length > 0 || input !== undefined
        const named = options.method ?? (second === undefined ? undefined : first)
        if (options.method !== undefined && second !== undefined)
          throw usage('--method and METHOD cannot be used together')
        const method = named === undefined ? defaultMethod(hasBody, paginate) : methodOf(named)
        if (paginate && options.include) throw usage('--paginate and --include cannot be used together')
        const typed: TypedRequest = { method, path, fields: field, typedFields: typedField, input, headers: header }
        const account = await cli.account()
        if (paginate) return printPages(cli, account, typed)
        const answer = await send(await requestTo(account, typed), homeOf(cli, account))
        if (options.include) await printHead(cli, answer)
        await printAnswer(cli, answer)
      }),
    )
}

const defaultMethod = (hasBody: boolean, paginate: true | undefined) => (hasBody && !paginate ? 'POST' : 'GET')
