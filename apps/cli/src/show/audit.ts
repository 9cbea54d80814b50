import type { AuditEntry } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import { numberedTable } from '../terminal/table.js'
import { clockTime } from '../terminal/time.js'

export function listOfAuditEntries(entries: readonly AuditEntry[], style: Style): string {
  if (entries.length === 0) return 'No entries.'
  return numberedTable(
    style,
    ['time', 'action', 'done to', 'by', 'with', 'from', 'details'],
    entries.map((entry) => [
      clockTime(entry.created_at),
      entry.action,
      entry.subject_id,
      entry.actor_id ?? 'the operator',
      credentialOf(entry),
      entry.address ?? '-',
      entry.details ? JSON.stringify(entry.details) : '-',
    ]),
  )
}

function credentialOf({ actor_id, credential_id }: AuditEntry): string {
  if (actor_id === null) return '-'
  return credential_id === 'api_key' ? 'API key' : (credential_id ?? '-')
}
