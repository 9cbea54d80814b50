import {
  ACTOR_TYPES,
  ATTRIBUTION_POLICIES,
  AUDIT_ACTIONS,
  batchFrom,
  CHANNEL_KINDS,
  DECISION_STATUSES,
  DONE_OUTCOMES,
  isTimeOfDay,
  isTimeZone,
  limitsFrom,
  MalformedValue,
  NOTICE_KINDS,
  NOTICE_LEVELS,
  pushEndpoint,
  pushKeysFrom,
  REDACTABLES,
  rulesFrom,
  SETTLERS,
  SPACE_STATUSES,
  storedCounts,
  storedHosts,
  storedObject,
  storedOneOf,
  storedStrings,
  TENANT_STATUSES,
  TOKEN_KINDS,
  TOKEN_SCOPES,
  typesOf,
  uncountedFrom,
  VISIBILITIES,
  WEBHOOK_ENDS,
  WEBHOOK_MESSAGE_TYPES,
  WEBHOOK_PAYLOADS,
  WEBHOOK_TYPES,
  type WebhookType,
  webhookUrl,
} from '@collab-spaces/domain'
import { readAct } from '../check/decision-history.js'
import { whyUnreadable } from '../check/history.js'
import { timestamp } from '../check/sql.js'

/** A row as JSON: the parsed column, and those that its parser compares it with. */
export type Row = Readonly<Record<string, unknown>>

/** Reads a value as the service does. Throws for one that the service could not read; the message says what it must be. */
export type Parser = (value: unknown, row: Row) => unknown

/** The kind of row that an id names. See `references.ts` for how each is looked up. */
export type Target =
  | 'member'
  | 'former member'
  | 'space'
  | 'event'
  | 'decision'
  | 'security log entry'
  | 'tenant'
  | 'credential'

/** Ids in a value: the SQL that selects them from a row `s` of a tenant `n.id`, each as a text `id`. */
interface Ids {
  readonly target: Target
  readonly select: string
}

/** What a column that no foreign key covers holds. */
export interface Column {
  readonly ids?: readonly Ids[]
  readonly parse?: Parser
  /** The columns that the parser needs besides, in SQL. */
  readonly beside?: Readonly<Record<string, string>>
  /** Why no id in it is looked up and no parser reads it. */
  readonly plain?: string
}

const one = (column: string, target: Target, where = 'true'): Column => ({
  ids: [{ target, select: `SELECT s.${column}::text AS id WHERE s.${column} IS NOT NULL AND ${where}` }],
})

const each = (column: string, target: Target): Column => ({
  ids: [{ target, select: `SELECT unnest(s.${column})::text AS id` }],
})

const keysOf = (column: string, target: Target): Ids => ({
  target,
  select: `SELECT e.key AS id FROM jsonb_each(CASE jsonb_typeof(s.${column}) WHEN 'object' THEN s.${column} ELSE '{}' END) e`,
})

/** The strings in a list within JSON. */
const listed = (json: string, target: Target): Ids => ({
  target,
  select: `SELECT e.value AS id FROM jsonb_array_elements_text(CASE jsonb_typeof(${json}) WHEN 'array' THEN ${json} ELSE '[]' END) e`,
})

const parsed = (parse: Parser, ...ids: readonly Ids[]): Column => ({ parse, ids })

const oneOf = (values: readonly string[]): Column => parsed((value) => storedOneOf(value, values))

const object = parsed(storedObject)

/** JSON that is kept as text. */
const textOf =
  (parse: Parser): Parser =>
  (value, row) =>
    parse(JSON.parse(String(value)), row)

function required(isRight: boolean, message: string): void {
  if (!isRight) throw new MalformedValue(message)
}

const OWN_ID: Column = { plain: 'the id of the row itself' }
const TEXT: Column = { plain: 'text of people or programs, which nothing is looked up by' }
const AS_SENT: Column = { plain: 'taken as it was sent: it may name any actor, and gives no right' }
const NAMED: Column = { plain: 'a name that a client or server chose for itself' }
const HISTORICAL: Column = { plain: 'a record of what was: it may name what is gone, and nothing is looked up by it' }

/** Credentials end with those they were made with. A name of one that is gone has no effect. */
const LINEAGE = each('created_with', 'credential')

const limits = (column: string): Column =>
  parsed(limitsFrom, {
    target: 'space',
    // A list of spaces of a tenant that the actor has left opens none here.
    select: `SELECT e.value AS id FROM jsonb_array_elements_text(
        CASE jsonb_typeof(s.${column} -> 'space_ids') WHEN 'array' THEN s.${column} -> 'space_ids' ELSE '[]' END) e
      WHERE s.${column} ->> 'tenant_id' = n.id::text`,
  })

/** Hashes in hexadecimal, by the position of their entry. */
function hashesFrom(value: unknown): void {
  const hashes = Object.entries(storedObject(value))
  const isHash = ([position, hash]: [string, unknown]) =>
    /^[1-9]\d{0,15}$/.test(position) && /^[0-9a-f]{64}$/.test(String(hash))
  required(hashes.every(isHash), 'must be an object of hashes by position')
}

const EVENT_COLUMNS = {
  space_id: 's.space_id',
  event_id: 's.event_id',
  thread_id: 's.thread_id',
  speaker_id: 's.speaker_id',
  posted_by: 's.posted_by',
  timestamp: timestamp('s.occurred_at'),
}

const ACT_COLUMNS = {
  space_id: 's.space_id',
  position: 's.position',
  decision_id: 's.decision_id',
  actor_id: 's.actor_id',
}

function parseAct(value: unknown, { wire: _, ...columns }: Row): void {
  const [problem] = readAct({ wire: String(value), columns: columns as Record<string, string | number | null> })
  if (problem !== undefined) throw new MalformedValue(problem)
}

function parseEvent(value: unknown, { wire: _, timestamp, ...columns }: Row): void {
  const problem = whyUnreadable({
    wire: String(value),
    timestamp: String(timestamp),
    columns: columns as Record<string, string | null>,
  })
  if (problem !== undefined) throw new MalformedValue(`cannot be read: ${problem}`)
}

const ACT = 's.wire::jsonb'
const inAct = (field: string, target: Target): Ids => ({
  target,
  select: `SELECT ${ACT} ->> '${field}' AS id WHERE ${ACT} ->> '${field}' IS NOT NULL`,
})

/** The ids after `event:` or `decision:` in the subject of a work claim. */
const inSubject = (kind: 'event' | 'decision'): Ids => ({
  target: kind,
  select: `SELECT substr(s.subject, ${kind.length + 2}) AS id WHERE s.subject LIKE '${kind}:%'`,
})

/**
 * The columns of the tables that tenants take along which may hold an id or a value that has to be parsed, but for those
 * that a foreign key covers. A test compares this with the schema: a new column is declared here.
 */
export const COLUMNS: Readonly<Record<string, Readonly<Record<string, Column>>>> = {
  tenants: {
    tenant_id: OWN_ID,
    name: TEXT,
    schema_name: NAMED,
    status: oneOf([...TENANT_STATUSES, 'arriving', 'moving', 'moved', 'deleting']),
    attribution: oneOf(ATTRIBUTION_POLICIES),
    agent_scopes: parsed((value) => storedStrings(value, TOKEN_SCOPES)),
    webhook_hosts: parsed(storedHosts),
    location: NAMED,
    status_before: oneOf(TENANT_STATUSES),
  },
  actors: {
    actor_id: OWN_ID,
    actor_type: oneOf(ACTOR_TYPES),
    display_name: TEXT,
    email: TEXT,
    agent_profile: TEXT,
    metadata: parsed(textOf(storedObject)),
    default_space_id: one('default_space_id', 'space'),
    installation_id: NAMED,
    agent_adapter: NAMED,
    stop_reason: TEXT,
    // It is the tenant itself where no person of it has stopped the agent.
    stopped_by: one('stopped_by', 'member', 's.stopped_by <> s.tenant_id::text'),
    created_with: LINEAGE,
    disabled_by: one('disabled_by', 'member'),
  },
  memberships: { left_as: TEXT },
  api_keys: { limits: limits('limits'), created_with: LINEAGE },
  personal_access_tokens: {
    pat_id: OWN_ID,
    name: TEXT,
    kind: oneOf(TOKEN_KINDS),
    token_prefix: NAMED,
    limits: limits('limits'),
    created_with: LINEAGE,
  },
  identities: { identity_id: OWN_ID, issuer: NAMED, subject: NAMED, email: TEXT, created_with: LINEAGE },
  passkeys: { passkey_id: OWN_ID, name: TEXT, created_with: LINEAGE },
  agent_codes: {
    code_id: OWN_ID,
    display_name: TEXT,
    agent_profile: TEXT,
    space_ids: each('space_ids', 'space'),
    key_limits: limits('key_limits'),
    installation_id: NAMED,
    created_with: LINEAGE,
  },
  spaces: {
    space_id: OWN_ID,
    title: TEXT,
    description: TEXT,
    status: oneOf(SPACE_STATUSES),
    visibility: oneOf(VISIBILITIES),
    links: TEXT,
    agent_runs: parsed(storedCounts, keysOf('agent_runs', 'member')),
  },
  space_policies: { who: oneOf(SETTLERS), named: each('named', 'member') },
  participants: { agent_adapter: NAMED },
  space_preferences: { notices: oneOf(NOTICE_LEVELS) },
  invites: { invite_id: OWN_ID, email: TEXT, created_with: LINEAGE },
  links: {
    link_id: OWN_ID,
    target_uri: TEXT,
    target_key: NAMED,
    link_type: TEXT,
    attributes: parsed(textOf(storedObject)),
  },
  summaries: { summary_id: OWN_ID, text: TEXT, model: NAMED },
  done_marks: { outcome: oneOf(DONE_OUTCOMES), reason: TEXT },
  notices: {
    notice_id: OWN_ID,
    kind: oneOf(NOTICE_KINDS),
    subject: HISTORICAL,
    source_id: HISTORICAL,
    details: object,
  },
  decisions: {
    decision_id: OWN_ID,
    proposed_by: AS_SENT,
    text: TEXT,
    status: oneOf(DECISION_STATUSES),
    resolved_by: AS_SENT,
    resolution: TEXT,
    idempotency_key: NAMED,
    assignees: each('assignees', 'member'),
    approved_by: each('approved_by', 'member'),
    supersedes: one('supersedes', 'decision'),
    superseded_by: one('superseded_by', 'decision'),
    approvals_not_counted: parsed(
      uncountedFrom,
      listed(`jsonb_path_query_array(s.approvals_not_counted, '$[*].actor_id')`, 'member'),
    ),
    rules_at_proposal: parsed(rulesFrom, listed(`s.rules_at_proposal -> 'named'`, 'member')),
  },
  decision_acts: {
    wire: {
      parse: parseAct,
      beside: ACT_COLUMNS,
      ids: [
        inAct('sponsor_id', 'member'),
        inAct('participant_id', 'member'),
        inAct('supersedes', 'decision'),
        inAct('superseded_by', 'decision'),
        listed(`${ACT} -> 'assignees'`, 'member'),
        listed(`${ACT} -> 'rules' -> 'named'`, 'member'),
      ],
    },
  },
  work_claims: {
    claim_id: OWN_ID,
    subject: {
      parse: (value) =>
        required(/^(event|decision|key):/.test(String(value)), 'must begin with event:, decision: or key:'),
      ids: [inSubject('event'), inSubject('decision')],
    },
    note: TEXT,
    progress: TEXT,
  },
  webhooks: {
    webhook_id: OWN_ID,
    url: parsed((value) => webhookUrl(String(value))),
    types: {
      parse: (value, { space_id }) => typesOf(space_id !== null, storedStrings(value, WEBHOOK_TYPES) as WebhookType[]),
      beside: { space_id: 's.space_id' },
    },
    payload: oneOf(WEBHOOK_PAYLOADS),
    reach: each('reach', 'space'),
    disabled_reason: oneOf(WEBHOOK_ENDS),
    created_with: LINEAGE,
  },
  webhook_cursors: {
    message_id: NAMED,
    message_type: oneOf(WEBHOOK_TYPES),
    message_checkpoint: HISTORICAL,
    lease_id: NAMED,
  },
  webhook_attempts: {
    message_id: NAMED,
    message_type: oneOf(WEBHOOK_MESSAGE_TYPES),
    space_id: one('space_id', 'space'),
    error: TEXT,
  },
  notification_settings: {
    quiet_from: parsed((value) => required(isTimeOfDay(String(value)), 'must be a time of the day')),
    quiet_until: parsed((value) => required(isTimeOfDay(String(value)), 'must be a time of the day')),
    time_zone: parsed((value) => required(isTimeZone(String(value)), 'must be a time zone')),
    notices: oneOf(NOTICE_LEVELS),
  },
  notification_channels: {
    channel_id: OWN_ID,
    kind: oneOf(CHANNEL_KINDS),
    name: TEXT,
    address: {
      parse: (value, { kind }) =>
        kind === 'push'
          ? pushEndpoint(String(value))
          : required(String(value).includes('@'), 'must be an e-mail address'),
      beside: { kind: 's.kind' },
    },
    push_keys: parsed(pushKeysFrom),
    created_with: LINEAGE,
    told: parsed(storedCounts, keysOf('told', 'space')),
    told_notices: HISTORICAL,
    batch: parsed(batchFrom),
    lease_id: NAMED,
  },
  erasures: {
    erasure_id: OWN_ID,
    tenant_id: HISTORICAL,
    space_id: HISTORICAL,
    event_id: HISTORICAL,
    requested_by: TEXT,
    reason: TEXT,
    act_hashes: parsed(hashesFrom),
    event_hashes: parsed(hashesFrom),
    noun: oneOf([...REDACTABLES, 'events']),
    subject_id: HISTORICAL,
  },
  log_trees: {
    tenant_id: one('tenant_id', 'tenant'),
    space_id: one('space_id', 'space', `s.space_id <> ''`),
    tree: oneOf(['events', 'decisions', 'audit']),
    checkpoint: HISTORICAL,
    signed_by: NAMED,
  },
  log_tiles: {
    tenant_id: one('tenant_id', 'tenant'),
    space_id: one('space_id', 'space', `s.space_id <> ''`),
    tree: oneOf(['events', 'decisions', 'audit']),
  },
  audit_positions: {
    tenant_id: one('tenant_id', 'tenant'),
    entry_id: one('entry_id', 'security log entry'),
  },
  events: {
    event_id: OWN_ID,
    speaker_id: AS_SENT,
    idempotency_key: NAMED,
    wire: {
      parse: parseEvent,
      beside: EVENT_COLUMNS,
      ids: [
        {
          target: 'event',
          select: `SELECT s.wire::json ->> 'parent_event_id' AS id WHERE s.wire::json ->> 'parent_event_id' IS NOT NULL`,
        },
      ],
    },
  },
  threads: { thread_id: OWN_ID, subject: TEXT },
  mentions: { participant_id: AS_SENT },
  attention: { actor_id: one('actor_id', 'member') },
  audit_entries: {
    entry_id: OWN_ID,
    tenant_id: HISTORICAL,
    action: oneOf(AUDIT_ACTIONS),
    actor_id: one('actor_id', 'former member'),
    credential_id: HISTORICAL,
    address: NAMED,
    subject_id: HISTORICAL,
    details: parsed(textOf(storedObject)),
  },
}
