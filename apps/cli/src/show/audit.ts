import type { AuditEntry } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { numberedTable } from '../terminal/table.js'
import { clockTime } from '../terminal/time.js'

export function listOfAuditEntries(entries: readonly AuditEntry[], style: Style): Text {
  if (entries.length === 0) return 'No entries.'
  return numberedTable(style, entries, {
    time: ({ created_at }) => clockTime(created_at),
    action: ({ action }) => action,
    'done to': ({ subject_id }) => subject_id,
    by: ({ actor_id }) => actor_id ?? 'the operator',
    with: credentialOf,
    from: ({ address }) => address ?? '-',
    details: detailsOf,
  })
}

function credentialOf({ actor_id, credential_id }: AuditEntry): string {
  if (actor_id === null) return '-'
  return credential_id === 'api_key' ? 'API key' : (credential_id ?? '-')
}

/** The changes field by field, and other details. All of it is in the JSON. */
function detailsOf({ details }: AuditEntry): string {
  const { before, after, ...others } = details ?? {}
  const [earlier, later] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...Object.keys(earlier), ...Object.keys(later)])]
  const changes = names
    .filter((name) => shown(earlier[name]) !== shown(later[name]))
    .map((name) => `${name} ${shown(earlier[name])} → ${shown(later[name])}`)
  const rest = Object.entries(others).map(([name, value]) => `${name} ${shown(value)}`)
  return [...changes, ...rest].join(', ') || '-'
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const shown = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none'))
