import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'

const NULL = '\\N'

/** A file that `tenant export` wrote, as text that can be edited. */
export class TenantFile {
  readonly #lines: readonly string[]

  constructor(bytes: Buffer) {
    this.#lines = gunzipSync(bytes).toString().trimEnd().split('\n')
  }

  /** Returns the rows of a table, with their numbers and fields by column. */
  rows(table: string): { readonly row: number; readonly fields: Readonly<Record<string, string>> }[] {
    const { first, columns } = this.#place(table)
    const end = this.#lines.indexOf('\\.', first)
    return this.#lines.slice(first, end).map((line, index) => {
      const values = line.split('\t')
      return { row: index + 1, fields: Object.fromEntries(columns.map((column, at) => [column, values[at] ?? ''])) }
    })
  }

  /** Returns the first matching row in which none of these columns is null. */
  find(table: string, columns: readonly string[], isSuch: (fields: Readonly<Record<string, string>>) => boolean) {
    return this.rows(table).find(({ fields }) => columns.every((column) => fields[column] !== NULL) && isSuch(fields))
  }

  /** Returns the line of a row in the text. */
  line(table: string, row: number): number {
    return this.#place(table).first + row
  }

  /** Returns the file with another value in a field, and a matching checksum. */
  edited(table: string, row: number, column: string, value: string): Buffer {
    const { first, columns } = this.#place(table)
    const lines = [...this.#lines]
    const fields = (lines[first + row - 1] as string).split('\t')
    fields[columns.indexOf(column)] = value
    lines[first + row - 1] = fields.join('\t')
    const { signature: _, ...footer } = JSON.parse((lines.pop() as string).slice(3))
    const content = `${lines.join('\n')}\n`
    const sha256 = createHash('sha256').update(content).digest('hex')
    return gzipSync(`${content}-- ${JSON.stringify({ ...footer, sha256 })}\n`, { level: 1 })
  }

  #place(table: string): { readonly first: number; readonly columns: readonly string[] } {
    const at = this.#lines.findIndex((line) => line.startsWith(`COPY "${table}" (`))
    const [, columns = ''] = /\((.*)\)/.exec(this.#lines[at] ?? '') ?? []
    return { first: at + 1, columns: columns.split(', ').map((name) => name.replaceAll('"', '')) }
  }
}
