import { OperatorError } from '../operator-error.js'

/** Explains why PostgreSQL does not take rows. */
export function explainRefusal(error: unknown): unknown {
  const { code, message, table, detail, where } = error as {
    readonly code?: string
    readonly message?: string
    readonly table?: string
    readonly detail?: string
    readonly where?: string
  }
  if (!code || !/^2[23]/.test(code)) return error
  const place = where?.match(/COPY carried_(\w+), line (\d+)/)
  const of = place ? `${place[1]}, row ${place[2]}` : (table ?? 'a table')
  return new OperatorError(`Refused, and nothing was changed: ${of}: ${message}${detail ? ` (${detail})` : ''}`)
}
