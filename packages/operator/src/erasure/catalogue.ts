import { REDACTED_ACTION, REDACTED_EDIT, REDACTED_TEXT, type Redactable } from '@collab-spaces/domain'

/** The way to erase user content from a column. */
export type ColumnErasure =
  | {
      /** The nouns for which a redaction by the operator erases it. */
      readonly redacts: readonly Redactable[]
      /** The SQL of the replacement; null where the module of the noun decides. */
      readonly by: string | null
    }
  /** The action of the owners, or the automatic process, that erases it. */
  | { readonly ends: string }
  /** The reason why it is never erased. */
  | { readonly stays: string }

const redacts = (noun: Redactable | readonly Redactable[], by: string | null = null): ColumnErasure => ({
  redacts: [noun].flat(),
  by,
})
const ends = (how: string): ColumnErasure => ({ ends: how })
const stays = (why: string): ColumnErasure => ({ stays: why })

const TEXT = `'${REDACTED_TEXT}'`
const ifAny = (column: string, by = TEXT) => `CASE WHEN ${column} IS NOT NULL THEN ${by} END`

const NAME = stays('a name: it stays with what was said and done')
const ID = stays('an id, which others refer to')
const KEY = stays('what makes a retry safe, for ever')
const LOG = stays('the security log')
const RECORD = stays('the record of erasures')
const OF_ACTOR = ends('its owner changes it, and it ends with the actor')
const OF_CREDENTIAL = ends('the row ends with its actor')
const OF_OWNER = ends('its owner deletes the row')
const CONTENT = ends('the row is deleted with the last file of this content')
const EXPIRES = ends('the row is deleted when it has expired')

/**
 * The columns with user content, also from programs, and its derivatives: texts, hashes, and nonces that blind hashes.
 * Redactions erase these columns, a scrub rewrites their tables, and PostgreSQL keeps no statistics of them. The content
 * of other columns and tables is decided by servers and operators only.
 */
export const CATALOGUE: Readonly<Record<string, Readonly<Record<string, ColumnErasure>>>> = {
  actors: {
    display_name: NAME,
    email: OF_ACTOR,
    agent_profile: OF_ACTOR,
    title: OF_ACTOR,
    time_zone: OF_ACTOR,
    picture: OF_ACTOR,
    metadata: OF_ACTOR,
    installation_id: OF_ACTOR,
    agent_adapter: OF_ACTOR,
    stop_reason: OF_ACTOR,
  },
  agent_codes: {
    display_name: NAME,
    agent_profile: ends('it ends with the sponsor or the agent'),
    installation_id: ends('it ends with the sponsor or the agent'),
  },
  audit_entries: { subject_id: LOG, address: LOG, details: LOG },
  decision_acts: { wire: redacts('decision'), nonce: redacts('decision') },
  decisions: {
    text: redacts('decision', TEXT),
    resolution: redacts('decision', ifAny('resolution')),
    proposed_by: redacts('decision', TEXT),
    resolved_by: redacts('decision', ifAny('resolved_by')),
    request_hash: redacts('decision', 'NULL'),
    options: redacts('decision', ifAny('options', `'[]'::jsonb`)),
    option: redacts('decision', ifAny('option')),
    action: redacts('decision', ifAny('action', `'${JSON.stringify(REDACTED_ACTION)}'`)),
    edit: redacts('decision', ifAny('edit', `'${JSON.stringify(REDACTED_EDIT.arguments)}'`)),
    digest: redacts('decision', ifAny('digest')),
    idempotency_key: KEY,
    use_key: KEY,
  },
  device_codes: { name: EXPIRES, address: EXPIRES },
  done_marks: { reason: redacts('event') },
  erasures: { requested_by: RECORD, reason: RECORD },
  events: {
    wire: redacts('event'),
    terms: redacts('event'),
    speaker_id: redacts('event'),
    request_hash: redacts('event'),
    nonce: redacts('event'),
    idempotency_key: KEY,
  },
  file_chunks: { bytes: CONTENT },
  file_contents: { sha256: CONTENT },
  files: {
    name: redacts('event', TEXT),
    content_type: redacts('event', TEXT),
    sha256: redacts('event', 'NULL'),
    passages: redacts('event', 'NULL'),
    terms: redacts('event', 'NULL'),
    idempotency_key: KEY,
  },
  identities: { issuer: OF_CREDENTIAL, subject: OF_CREDENTIAL, email: OF_CREDENTIAL },
  invites: { email: ends('the invite is revoked, or its redeemer is deleted') },
  links: {
    target_uri: redacts('link', `CASE WHEN target_uri IS NOT NULL THEN 'about:redacted' END`),
    target_key: redacts('link', `'redacted:' || link_id`),
    link_type: redacts('link', TEXT),
    attributes: redacts('link', `'{}'`),
  },
  memberships: { left_as: NAME },
  mentions: { participant_id: redacts('event') },
  notices: {
    subject: ends('the actor dismisses the notice, or the agent that it is about is deleted'),
    details: ends('the actor dismisses the notice, or the agent that it is about is deleted'),
  },
  notification_channels: { address: OF_OWNER, name: OF_OWNER, push_keys: OF_OWNER },
  oauth_records: { payload: EXPIRES },
  participants: { agent_adapter: ends('the row ends with the participation') },
  passkeys: { name: OF_CREDENTIAL, credential_id: OF_CREDENTIAL, public_key: OF_CREDENTIAL },
  personal_access_tokens: { name: OF_CREDENTIAL },
  pictures: { bytes: OF_ACTOR },
  presences: { view: EXPIRES },
  rate_counts: { key: EXPIRES },
  limit_counts: { key: EXPIRES },
  reactions: { emoji: ends('its actor takes it back or is deleted, or its event is redacted') },
  spaces: {
    space_id: ID,
    title: redacts('space', ifAny('title')),
    description: redacts('space', `CASE WHEN description = '' THEN '' ELSE ${TEXT} END`),
    links: redacts('space', `'{}'::text[]`),
  },
  summaries: {
    text: ends('any redaction in the space deletes the row'),
    source_hash: ends('any redaction in the space deletes the row'),
  },
  tenants: { name: NAME, schema_name: NAME, webhook_hosts: ends('an admin changes it') },
  threads: { subject: redacts(['thread', 'decision'], TEXT) },
  incoming_webhooks: { template: OF_OWNER, people: OF_OWNER, deliveries: OF_OWNER },
  webhooks: { url: OF_OWNER },
  webhook_attempts: { error: OF_OWNER },
  work_claims: {
    note: redacts(['event', 'decision', 'claim'], 'NULL'),
    progress: redacts(['event', 'decision', 'claim'], 'NULL'),
    subject: redacts(
      'claim',
      `CASE WHEN starts_with(subject, 'key:') THEN 'key:${REDACTED_TEXT} ' || claim_id ELSE subject END`,
    ),
  },
}

/** The columns of a table that the redaction of a noun sets, each with the SQL of its replacement. */
export const columnsOf = (table: string, noun: Redactable): readonly (readonly [column: string, by: string])[] =>
  Object.entries(CATALOGUE[table] ?? {}).flatMap(([column, erasure]) =>
    'redacts' in erasure && erasure.redacts.includes(noun) && erasure.by !== null ? [[column, erasure.by]] : [],
  )

const isErasable = (erasure: ColumnErasure) => !('stays' in erasure)

/** The tables with erasable content. */
export const ERASABLE_TABLES: readonly string[] = Object.entries(CATALOGUE)
  .filter(([, columns]) => Object.values(columns).some(isErasable))
  .map(([table]) => table)
