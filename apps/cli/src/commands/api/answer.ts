import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SpacesError } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import { failed } from '../../failure.js'
import { clean } from '../../terminal/clean.js'

/** Prints the body of an answer as it arrives, and fails if it is an error. */
export async function printAnswer(cli: Cli, response: Response): Promise<void> {
  if (response.ok) return cli.out.isShaped ? printShaped(cli, response) : print(cli, response)
  if (cli.out.json) throw SpacesError.refused(response, await response.text())
  const copy = response.clone()
  await print(cli, response)
  if (response.status < 400) throw redirected(response)
  throw SpacesError.refused(response, await copy.text())
}

/** The whole answer at once, as a filter needs it. */
async function printShaped(cli: Cli, response: Response): Promise<void> {
  cli.out.result(await jsonOf(response), () => '')
}

/** The JSON of an answer. */
export async function jsonOf(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text())
  } catch (error) {
    if (error instanceof SyntaxError)
      throw failed('The answer is not JSON', 'Leave out --json=FIELDS, --jq, --template and --paginate')
    throw SpacesError.unreachable(error)
  }
}

async function print(cli: Cli, { body, headers }: Response): Promise<void> {
  if (!body) return
  const bytes = Readable.fromWeb(body as import('node:stream/web').ReadableStream)
  const isJson = /^application\/json\b/.test(headers.get('content-type') ?? '')
  const isForPerson = process.stdout.isTTY && !cli.out.json
  try {
    if (isForPerson) await pipeline(bytes, readable(isJson), process.stdout, { end: false })
    else await pipeline(bytes, process.stdout, { end: false })
  } catch (error) {
    throw SpacesError.unreachable(error)
  }
}

/** Longer JSON is not for people to look at, and may not fit into memory. */
const MAX_INDENTED = 1024 * 1024

/** Text for a terminal: JSON indented, unless it is too long, and no control characters. */
const readable = (isJson: boolean) =>
  async function* (bytes: AsyncIterable<Uint8Array>) {
    const decoder = new TextDecoder()
    let isIndented = isJson
    let text = ''
    for await (const chunk of bytes) {
      text += decoder.decode(chunk, { stream: true })
      if (isIndented && text.length <= MAX_INDENTED) continue
      isIndented = false
      yield clean(text)
      text = ''
    }
    text += decoder.decode()
    yield `${clean(isIndented ? indented(text) : text)}\n`
  }

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const redirected = ({ status, headers }: Response) =>
  failed(
    `The server redirects to ${clean(headers.get('location') ?? 'another address')} (${status})`,
    'Your token is not sent to another address. If you trust it, sign in there: spaces login --url URL',
  )
