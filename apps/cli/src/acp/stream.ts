import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import { failed } from '../failure.js'
import { parsed } from '../json-file.js'
import { linesOf } from '../transfer/lines.js'

const MIB = 1024 * 1024

/** Far above a file that an agent shows whole. */
const LONGEST_MESSAGE = { bytes: 8 * MIB, otherwise: 'longer than any message of an agent' }

/** How much an agent may write from one batch to the next, in bytes. */
const MAX_OUTPUT = 64 * MIB

/** Programs print a greeting or a warning where their messages belong, but not on and on. */
const MAX_NOISE_LINES = 1_000

/**
 * The messages of an agent, one JSON object a line. They are read no faster than they are handled, and what the agent
 * writes has an end: the stream of one that floods fails.
 */
export class AgentStream implements Stream {
  readonly readable: ReadableStream<AnyMessage>
  readonly writable: WritableStream<AnyMessage>
  #output = 0
  #noise = 0

  constructor(input: Writable, output: Readable) {
    this.readable = ReadableStream.from(this.#messages(output)) as ReadableStream<AnyMessage>
    this.writable = new WritableStream({ write: (message) => write(input, `${JSON.stringify(message)}\n`) })
  }

  /** Another batch begins. */
  renew(): void {
    this.#output = 0
    this.#noise = 0
  }

  async *#messages(output: Readable): AsyncGenerator<AnyMessage> {
    for await (const { bytes } of linesOf(this.#counted(output), LONGEST_MESSAGE)) {
      const text = bytes.toString()
      const message = messageIn(text)
      if (message) yield message
      else if (text.trim() !== '' && ++this.#noise > MAX_NOISE_LINES)
        throw failed('what it writes are no messages of ACP')
    }
  }

  async *#counted(output: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of output) {
      this.#output += chunk.length
      if (this.#output > MAX_OUTPUT) throw failed(`it wrote more than ${MAX_OUTPUT / MIB} MiB for one batch`)
      yield chunk
    }
  }
}

/** The message in a line; null where there is none. */
function messageIn(line: string): AnyMessage | null {
  const value = parsed(line)
  return value !== null && typeof value === 'object' && 'jsonrpc' in value ? (value as AnyMessage) : null
}

/** Writes no faster than is read; a reader that has gone is noticed elsewhere. */
async function write(input: Writable, text: string): Promise<void> {
  if (!input.write(text)) await Promise.race([once(input, 'drain'), once(input, 'close')])
}
