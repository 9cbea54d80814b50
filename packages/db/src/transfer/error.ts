import { BackupError } from '../backup/error.js'

/** Why a tenant cannot be exported, imported, moved or deleted. The message is one line for the operator. */
export class TransferError extends BackupError {
  override name = 'TransferError'
}

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
  return new TransferError(`Refused, and nothing was changed: ${of}: ${message}${detail ? ` (${detail})` : ''}`)
}
