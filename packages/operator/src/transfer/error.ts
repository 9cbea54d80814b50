import { OperatorError } from '../session/operator-error.js'

/** A row of a table, by its number in the transfer. */
export interface RowPlace {
  readonly table: string
  readonly row: number
  readonly key?: string
}

/** A rejected row. */
export class RefusedRow extends OperatorError {
  constructor(
    readonly place: RowPlace,
    why: string,
  ) {
    const { table, row, key } = place
    super(`Refused, and nothing was changed: ${table}, row ${row}${key === undefined ? '' : ` (${key})`} ${why}`)
  }
}

/** Explains why PostgreSQL rejects rows. */
export function explainRefusal(error: unknown): unknown {
  const { code, message, table, detail, where } = error as {
    readonly code?: string
    readonly message?: string
    readonly table?: string
    readonly detail?: string
    readonly where?: string
  }
  if (!code || !/^2[23]/.test(code)) return error
  const why = `${message}${detail ? ` (${detail})` : ''}`
  const place = where?.match(/COPY carried_(\w+), line (\d+)(?:, column (\w+))?/)
  if (place) {
    const [, name = '', row, column] = place
    return new RefusedRow(
      { table: name, row: Number(row) },
      `is not what PostgreSQL takes: ${column ? `${column}: ` : ''}${why}`,
    )
  }
  return new OperatorError(`Refused, and nothing was changed: ${table ?? 'a table'}: ${why}`)
}
