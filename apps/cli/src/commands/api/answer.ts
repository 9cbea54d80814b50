import { STATUS_CODES } from 'node:http'
import { Readable } from 'node:stream'
import { SpacesError } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import { failed } from '../../failure.js'
import type { HttpAnswer } from '../../http.js'
import { parsed } from '../../json-file.js'

/** Prints the body of an answer as it arrives, and fails if it is an error. */
export async function printAnswer(cli: Cli, answer: HttpAnswer): Promise<void> {
  // A filter needs the whole answer at once.
  if (answer.ok && cli.out.isShaped) return cli.out.result(await jsonOf(answer), () => '')
  if (answer.ok) return print(cli, answer, answer.bytes)
  const body = await textOf(answer)
  if (!cli.out.json) await print(cli, answer, Readable.from([body]))
  if (answer.status < 400) throw redirected(answer)
  throw SpacesError.refused(answer, body)
}

/** Prints the status and the headers of an answer, as HTTP has them. */
export async function printHead(cli: Cli, { status, headers }: HttpAnswer): Promise<void> {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
  await cli.out.verbatim([
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\n`,
    ...lines.map((line) => `${line}\n`),
    '\n',
  ])
}

/** The JSON of an answer. */
export async function jsonOf(answer: HttpAnswer): Promise<unknown> {
  const value = parsed(await textOf(answer))
  if (value !== undefined) return value
  throw failed('The answer is not JSON', 'Leave out --json=FIELDS, --jq, --template and --paginate')
}

const textOf = (answer: HttpAnswer) =>
  answer.text().catch((error: unknown) => {
    throw SpacesError.unreachable(error)
  })

/** A terminal gets JSON indented; what is longer than that is printed as it comes. */
async function print(cli: Cli, { headers }: HttpAnswer, bytes: Readable): Promise<void> {
  const isJson = /^application\/json\b/.test(headers.get('content-type') ?? '')
  const isForPerson = process.stdout.isTTY && !cli.out.json
  try {
    await cli.out.verbatim(isForPerson ? readable(bytes, isJson) : bytes)
  } catch (error) {
    throw SpacesError.unreachable(error)
  }
}

/** Longer JSON is not for people to look at, and may not fit into memory. */
const MAX_INDENTED = 1024 * 1024

async function* readable(bytes: Readable, isJson: boolean): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let isIndented = isJson
  let text = ''
  for await (const chunk of bytes) {
    text += decoder.decode(chunk, { stream: true })
    if (isIndented && text.length <= MAX_INDENTED) continue
    isIndented = false
    yield text
    text = ''
  }
  text += decoder.decode()
  yield `${isIndented ? indented(text) : text}\n`
}

function indented(text: string): string {
  const value = parsed(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}

const redirected = ({ status, headers }: HttpAnswer) =>
  failed(
    `The server redirects to ${headers.get('location') ?? 'another address'} (${status})`,
    'Your token is not sent to another address. If you trust it, sign in there: spaces login --url URL',
  )
