import { beforeAll, describe, expect, it } from 'vitest'
import { CATALOGUE } from '../src/erasure/catalogue.js'
import { migrate } from '../src/migration/apply.js'
import { usePostgres } from './postgres.js'

/** The other columns of these types, by table: ids, fixed words, secrets and signatures. */
const SERVER_WRITTEN: Readonly<Record<string, string>> = {
  actors: 'actor_id actor_type sponsor_id default_space_id stopped_by created_with disabled_by',
  agent_codes: 'code_id sponsor_id code_hash space_ids key_limits agent_id key_hash created_with',
  api_keys: 'key_hash actor_id limits created_with',
  attention: 'space_id actor_id',
  attention_heads: 'actor_id space_id',
  audit_entries: 'action actor_id credential_id',
  blocks: 'actor_id blocked_id',
  decision_acts: 'space_id actor_id',
  decisions:
    'space_id status posted_by settled_by approved_by assignees approvals_not_counted rules_at_proposal used_by',
  device_codes: 'device_hash user_code answer',
  done_marks: 'actor_id space_id outcome',
  erasures: 'space_id leaf_hash act_hashes event_hashes noun subject_id',
  events: 'space_id posted_by',
  file_contents: 'image_type',
  files: 'space_id file_id uploaded_by',
  identities: 'identity_id actor_id created_with',
  incoming_webhooks: 'agent_id space_id format',
  invites: 'invite_id code_hash default_space_id created_by redeemed_by created_with',
  links: 'space_id link_id target_id created_by',
  log_tiles: 'space_id tree hash marks',
  log_trees: 'space_id tree frontier marks checkpoint signed_by',
  memberships: 'actor_id',
  mentions: 'space_id',
  notices: 'actor_id kind source_id space_id',
  notification_channels: 'actor_id kind created_with told batch',
  notification_settings: 'actor_id quiet_from quiet_until time_zone notices',
  oauth_records: 'kind id_hash grant_id',
  participants: 'space_id actor_id',
  passkeys: 'passkey_id actor_id created_with',
  personal_access_tokens: 'pat_id actor_id kind token_hash token_prefix limits created_with',
  pictures: 'actor_id',
  presences: 'actor_id',
  reactions: 'actor_id space_id',
  read_cursors: 'actor_id space_id',
  revisions: 'space_id',
  server_keys: 'fingerprint',
  snoozes: 'actor_id space_id',
  space_owners: 'space_id actor_id',
  space_policies: 'space_id who named changed_by',
  space_preferences: 'actor_id space_id notices',
  spaces: 'status visibility created_by agent_runs',
  summaries: 'space_id model',
  tenants: 'status attribution agent_scopes location status_before',
  threads: 'space_id posted_by',
  used_codes: 'code_hash',
  webhook_attempts: 'webhook_id message_type space_id',
  webhook_cursors: 'webhook_id space_id message_type message_checkpoint',
  webhooks: 'webhook_id owner_id space_id inbox_of types payload reach disabled_reason created_with',
  work_claims: 'space_id holder_id',
}

const postgres = usePostgres()
beforeAll(async () => {
  await migrate(postgres.connection, () => {})
})

/** The columns that can hold a text, or bytes made of one. */
const COLUMNS = `
  SELECT c.relname || '.' || a.attname AS name, coalesce(a.attstattarget, -1) AS target
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> '_prisma_migrations'
    AND a.attnum > 0 AND NOT a.attisdropped
    AND format_type(a.atttypid, NULL) ~ '^(text|character|name|json|jsonb|xml|bytea|tsvector|hstore)'
  ORDER BY 1`

const named = (table: string, columns: readonly string[]) => columns.map((column) => `${table}.${column}`)

describe('the catalogue of what people write', () => {
  it('has each column that can hold it, and no unknown column', async () => {
    const { rows } = await postgres.client.query<{ name: string }>(COLUMNS)
    const written = Object.entries(CATALOGUE).flatMap(([table, columns]) => named(table, Object.keys(columns)))
    const others = Object.entries(SERVER_WRITTEN).flatMap(([table, columns]) => named(table, columns.split(' ')))
    expect([...written, ...others].sort()).toEqual(rows.map(({ name }) => name).sort())
  })

  it('has no erasable column of which PostgreSQL keeps samples', async () => {
    const { rows } = await postgres.client.query<{ name: string; target: number }>(COLUMNS)
    const sampled = rows.filter(({ target }) => target !== 0).map(({ name }) => name)
    const erasable = Object.entries(CATALOGUE).flatMap(([table, columns]) =>
      named(
        table,
        Object.entries(columns).flatMap(([column, erasure]) => ('stays' in erasure ? [] : [column])),
      ),
    )
    expect(erasable.filter((name) => sampled.includes(name))).toEqual([])
  })

  it('has no erasable column in an indexed expression that PostgreSQL samples', async () => {
    const { rows } = await postgres.client.query<{ tables: string; made: string; target: number }>(
      `SELECT i.indrelid::regclass::text AS tables, pg_get_indexdef(i.indexrelid, a.attnum, true) AS made,
         coalesce(a.attstattarget, -1) AS target
       FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indexrelid
       JOIN pg_class c ON c.oid = i.indrelid AND c.relnamespace = current_schema()::regnamespace
       WHERE i.indkey[a.attnum - 1] = 0`,
    )
    const uses = ({ tables, made }: { readonly tables: string; readonly made: string }) =>
      Object.entries(CATALOGUE[tables] ?? {}).some(
        ([column, erasure]) => !('stays' in erasure) && new RegExp(`\\b${column}\\b`).test(made),
      )
    const found = rows.filter(uses)
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(({ target }) => target !== 0)).toEqual([])
  })
})
