import { createReadStream } from 'node:fs'
import {
  BadLog,
  type Checkpoint,
  isKey,
  isReceipt,
  LogReader,
  openCheckpoint,
  type ReadLog,
  type ReadLogOptions,
  type ReadReceipt,
  readReceipt,
} from '@collab-spaces/merkle'
import { type Failure, failed, usage } from '../failure.js'
import { textFrom } from '../input/utf8.js'
import { parsed } from '../json-file.js'

/** Bytes of a file that are read at once. */
const PIECE_BYTES = 1024 * 1024

/** A public key: as it is, or in a file. */
export async function keyFrom(given: string, option = '--key'): Promise<string> {
  const key = isKey(given) ? given : (await textFrom(given)).trim()
  if (isKey(key)) return key
  throw usage(`${option} ${given}: not a public key`, 'The server has it at /log/keys')
}

/** An earlier checkpoint: a signed note, the answer of the API, or a file that begins with one. */
export async function checkpointFrom(path: string, key: string): Promise<Checkpoint> {
  const text = await textFrom(path)
  const checkpoint = openCheckpoint(noteIn(text) ?? text, key)
  if (checkpoint) return checkpoint
  throw failed(`--since ${path}: no checkpoint that this key has signed`)
}

function noteIn(text: string): string | undefined {
  const value = parsed(text) ?? parsed(text.slice(0, text.indexOf('\n')))
  return (value as { readonly checkpoint?: string } | undefined)?.checkpoint
}

/** The proof in a file: an exported log, or a receipt. */
export type VerifiedProof = { readonly log: ReadLog } | { readonly receipt: ReadReceipt }

/** Checks a file. Fails with the first thing that is wrong with it. */
export async function verifyFile(path: string, options: ReadLogOptions): Promise<VerifiedProof> {
  try {
    const reader = new LogReader(options)
    for await (const piece of piecesOf(path)) {
      if (isReceipt(piece.toString('utf8', 0, 100))) {
        if (options.since) throw usage('--since is for exported logs, and this is a receipt')
        return { receipt: readReceipt(await textFrom(path), options.key) }
      }
      reader.push(piece)
    }
    return { log: reader.end() }
  } catch (error) {
    throw refused(path, error)
  }
}

async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: PIECE_BYTES })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall ? failed(`Cannot read ${path}: ${(error as Error).message}`) : error
  }
}

/** Why something proves nothing, for a person. */
export function refused(what: string, error: unknown): Failure | unknown {
  if (!(error instanceof BadLog)) return error
  const first = error.position === null ? '' : `. The first bad position is ${error.position}`
  return failed(`${what} is not proved: ${error.message}${first}`)
}
