import { createHash } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '../session/operator-error.js'
import {
  commentIn,
  copyIn,
  counted,
  END_OF_ROWS,
  type Footer,
  type Header,
  type Progress,
  type RowCounts,
} from './format.js'
import type { Table } from './tables.js'

const PIECE = 64 * 1024

/** The longest row takes some megabytes. A longer one is not from a backup, and must not fill the memory. */
const LONGEST_LINE = 64 * 1024 * 1024

export const NEWLINE = 0x0a
const END = Buffer.from(`${END_OF_ROWS}\n`)
const END_AFTER_ROW = Buffer.from(`\n${END_OF_ROWS}\n`)

/** The expected kind of a file, and its name in an error. */
export interface FileKind {
  readonly format: string
  readonly version: number
  readonly name: string
  /** Advice for a damaged file. */
  readonly next: string
}

/**
 * Reads a file, and explains gunzip errors for a corrupt file. The work itself heeds the signal once all is read: what it
 * has completed then counts.
 */
export async function readBackup<T>(
  source: Readable,
  kind: FileKind,
  signal: AbortSignal,
  work: (reader: BackupReader) => Promise<T>,
): Promise<T> {
  let done: { readonly value: T } | null = null
  const read = async (text: AsyncIterable<Buffer>) => {
    done = { value: await work(new BackupReader(text, kind)) }
    return done.value
  }
  try {
    return await pipeline(source, createGunzip({ chunkSize: PIECE }), read, { signal })
  } catch (error) {
    if (done) return (done as { readonly value: T }).value
    const { code, message } = error as { code?: string; message?: string }
    if (code === 'Z_BUF_ERROR') throw damaged(kind, 'it ends too early')
    if (code !== 'Z_DATA_ERROR') throw error
    throw message === 'incorrect header check' ? foreign(kind) : damaged(kind, 'it cannot be decompressed')
  }
}

/** Reads the text of a backup sequentially, and verifies at its end that it is complete and unchanged. */
export class BackupReader {
  readonly #source: AsyncIterator<Buffer>
  readonly #hash = createHash('sha256')
  /** Received bytes not yet read. */
  #ahead: Buffer = Buffer.alloc(0)

  constructor(
    source: AsyncIterable<Buffer>,
    private readonly kind: FileKind,
  ) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async header(): Promise<Header> {
    const { format, version, name } = this.kind
    const header = commentIn(await this.#line()) as Header | undefined
    if (header?.format !== format) throw foreign(this.kind)
    if (header.version === version) return header
    throw new OperatorError(`The ${name} has format ${header.version}, not ${version}: use a later version`)
  }

  /** Reads the next table, which must be this one, into the sink of `open`. Returns its number of rows. */
  async table(table: Table, open: () => Writable & { readonly rowCount: number }, progress: Progress): Promise<number> {
    if ((await this.#line()) !== `${copyIn(table)};`) throw this.damaged(`the table ${table.name} is missing`)
    const target = open()
    await pipeline(
      counted(this.#rows(), (total) => progress(table.name, total)),
      target,
    )
    return target.rowCount
  }

  async #line(): Promise<string> {
    const lines = await this.#wholeLines()
    return this.#take(lines.indexOf(NEWLINE) + 1)
      .toString()
      .slice(0, -1)
  }

  /** The rows up to the end of their table, in chunks. */
  async *#rows(): AsyncGenerator<Buffer> {
    for (;;) {
      const lines = await this.#wholeLines()
      const end = endIn(lines)
      const rows = this.#take(end === -1 ? lines.length : end)
      if (rows.length > 0) yield rows
      if (end === -1) continue
      this.#take(END.length)
      return
    }
  }

  /**
   * Reads the last line. Throws unless it is last and matches the others. Returns the signed content and its signature.
   */
  async requireWhole(rows: RowCounts): Promise<{ readonly digest: Buffer; readonly signature: string | null }> {
    const digest = this.#hash.digest()
    const footer = commentIn((await this.#wholeLines()).toString().trimEnd()) as Footer | undefined
    if (footer?.sha256 !== digest.toString('hex')) throw this.damaged('its checksum is wrong')
    for (const [table, count] of Object.entries(footer.rows)) {
      if (rows[table] !== count) throw this.damaged(`${table} has ${rows[table]} rows instead of ${count}`)
    }
    if (!(await this.#source.next()).done) throw this.damaged('it goes on after its end')
    return { digest, signature: typeof footer.signature === 'string' ? footer.signature : null }
  }

  damaged(how: string): OperatorError {
    return damaged(this.kind, how)
  }

  /** The received bytes up to the end of a line. */
  async #wholeLines(): Promise<Buffer> {
    for (;;) {
      const end = this.#ahead.lastIndexOf(NEWLINE) + 1
      if (end > 0) return this.#ahead.subarray(0, end)
      if (this.#ahead.length > LONGEST_LINE) throw this.damaged('it has a line without an end')
      const { value, done } = await this.#source.next()
      if (done) throw this.damaged('it ends too early')
      this.#ahead = Buffer.concat([this.#ahead, value])
    }
  }

  #take(length: number): Buffer {
    const taken = this.#ahead.subarray(0, length)
    this.#ahead = this.#ahead.subarray(length)
    this.#hash.update(taken)
    return taken
  }
}

/** The offset of the line that ends the rows of a table; -1 without one. */
function endIn(lines: Buffer): number {
  if (lines.subarray(0, END.length).equals(END)) return 0
  const before = lines.indexOf(END_AFTER_ROW)
  return before === -1 ? -1 : before + 1
}

const damaged = ({ name, next }: FileKind, how: string) => new OperatorError(`The ${name} is damaged (${how}): ${next}`)

const foreign = ({ name }: FileKind) => new OperatorError(`The file is not a ${name} of Collaboration Spaces`)
