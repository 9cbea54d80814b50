import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SpacesError } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import { failed } from '../../failure.js'
import { clean } from '../../terminal/clean.js'

/** Prints the body of an answer while it comes, and fails when it is no success. */
export async function printAnswer(cli: Cli, response: Response): Promise<void> {
  if (response.ok) return print(cli, response)
  if (cli.out.json) throw SpacesError.refused(response, await response.text())
  const copy = response.clone()
  await print(cli, response)
  if (response.status < 400) throw elsewhere(response)
  throw SpacesError.refused(response, await copy.text())
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

/** What is longer is not looked at by eye, and may not fit into memory. */
const MAX_INDENTED = 1024 * 1024

/** Text for a terminal: JSON indented, when it is not too long for that, and no control characters. */
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

const elsewhere = ({ status, headers }: Response) =>
  failed(
    `The server answered ${status}: it is at ${clean(headers.get('location') ?? 'some other place')}`,
    'Your token is not sent there by itself. If you trust it, sign in there: spaces login --url …',
  )
