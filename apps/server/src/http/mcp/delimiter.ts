import { randomBytes } from 'node:crypto'

/** Puts a text between delimiters that mark it as untrusted for a model. */
export type Delimit = (text: string) => string

/** Returns the delimiters of one answer. Their random name is unknown to participants, so no text can close them. */
export function newDelimiter(): Delimit {
  const name = `data-${randomBytes(8).toString('hex')}`
  return (text) => `<${name}>\n${text}\n</${name}>`
}

/**
 * The fields whose strings the server itself writes: IDs, times, and words of its own. `space_id` is chosen by a client,
 * but of characters that make no sentence. Every other string is delimited, also one of a field that is new.
 */
export const SERVER_FIELDS: ReadonlySet<string> = new Set([
  ...[
    'actor_id',
    'agent_id',
    'claim_id',
    'decision_id',
    'event_id',
    'file_id',
    'notice_id',
    'participant_id',
    'tenant_id',
  ],
  ...['space_id', 'space_ids', 'default_space_id', 'thread_id', 'parent_event_id', 'seen_event_id', 'by_event_id'],
  ...[
    'posted_by',
    'uploaded_by',
    'sha256',
    'settled_by',
    'stopped_by',
    'sponsor_id',
    'holder',
    'owners',
    'assignees',
    'named',
    'by',
  ],
  ...['supersedes', 'superseded_by', 'corrects', 'retracts', 'corrected_by', 'corrected_at', 'retracted_by'],
  ...['cursor', 'next_cursor', 'from', 'to', 'notices', 'credential_id', 'request_id'],
  ...[
    'timestamp',
    'occurred_at',
    'created_at',
    'started_at',
    'ended_at',
    'joined_at',
    'connected_at',
    'claimed_at',
    'progress_at',
  ],
  ...['expires_at', 'last_event_at', 'last_seen_at', 'redacted_at', 'resolved_at', 'review_at', 'stopped_at', 'since'],
  ...['actor_type', 'participant_type', 'posted_by_type', 'kind', 'kinds', 'role', 'scopes', 'state', 'status'],
  ...[
    'visibility',
    'who',
    'estimator',
    'error',
    'advice',
    'digest',
    'option',
    'used_by',
    'used_at',
    'receipt_ready_after',
  ],
])

/** Objects of which participants choose the keys, too. */
const FREE_FORM: ReadonlySet<string> = new Set(['metadata', 'attributes', 'arguments'])

/**
 * Returns a value with every string delimited that participants may have written. Free-form objects become delimited
 * JSON, as their keys are text of participants as well.
 */
export function delimited(value: unknown, delimit: Delimit, field?: string): unknown {
  if (typeof value === 'string') return field !== undefined && SERVER_FIELDS.has(field) ? value : delimit(value)
  if (value === null || typeof value !== 'object') return value
  if (field !== undefined && FREE_FORM.has(field)) return delimit(JSON.stringify(value))
  if (Array.isArray(value)) return value.map((item) => delimited(item, delimit, field))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, delimited(item, delimit, name)]))
}
