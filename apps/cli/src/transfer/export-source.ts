import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { failed } from '../failure.js'
import { type Line, linesOf } from './lines.js'

/** An export that is read twice: first to check it, then to import it. */
export interface ExportSource {
  lines(): AsyncGenerator<Line>
  close(): Promise<void>
}

/** Opens an export: a file, or standard input for undefined. What cannot be read twice is copied first. */
export async function openSource(path: string | undefined, signal: AbortSignal): Promise<ExportSource> {
  if (path === undefined) return copied(process.stdin, signal)
  const file = await open(path).catch((error: Error) => {
    throw failed(`Cannot read ${path}: ${error.message}`)
  })
  const stat = await file.stat()
  if (stat.isDirectory()) {
    await file.close()
    throw failed(`Cannot read ${path}: it is a directory`)
  }
  if (!stat.isFile()) return copied(file.createReadStream(), signal)
  await file.close()
  return { lines: () => linesIn(path, signal), close: async () => {} }
}

/** Copies a stream to a file that only this user can read. */
async function copied(stream: Readable, signal: AbortSignal): Promise<ExportSource> {
  const directory = await mkdtemp(join(tmpdir(), 'spaces-'))
  const close = () => rm(directory, { recursive: true, force: true })
  const path = join(directory, 'export.ndjson')
  try {
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }), { signal })
  } catch (error) {
    await close()
    throw error
  }
  return { lines: () => linesIn(path, signal), close }
}

const isBlank = ({ bytes }: Line) => bytes.toString('latin1').trim() === ''

async function* linesIn(path: string, signal: AbortSignal): AsyncGenerator<Line> {
  for await (const line of linesOf(addAbortSignal(signal, createReadStream(path)))) {
    if (!isBlank(line)) yield line
  }
}
