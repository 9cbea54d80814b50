import type { ConnectionOptions, LogFunction } from '@collab-spaces/db'
import type pg from 'pg'
import { migrateWith, takeLock, withClient } from './apply.js'

type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'

const READ: readonly Right[] = ['SELECT']
/** Rows are immutable. */
const ADD: readonly Right[] = [...READ, 'INSERT']
/** A row lock requires the right to update. */
const CHANGE: readonly Right[] = [...ADD, 'UPDATE']
const CHANGE_AND_DELETE: readonly Right[] = [...CHANGE, 'DELETE']

/** The rights of a running server on each table. The owner does everything else before. */
export const TABLE_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  actors: CHANGE,
  agent_codes: CHANGE,
  api_keys: CHANGE_AND_DELETE,
  attention: ADD,
  attention_heads: CHANGE,
  audit_entries: ADD,
  audit_positions: ADD,
  blocks: CHANGE_AND_DELETE,
  decision_acts: ADD,
  decisions: CHANGE,
  done_marks: ADD,
  device_codes: CHANGE_AND_DELETE,
  // Only the operator, as the owner, erases. A server checks for an earlier space of the same name.
  erasures: READ,
  events: ADD,
  file_chunks: CHANGE_AND_DELETE,
  file_contents: CHANGE_AND_DELETE,
  files: CHANGE_AND_DELETE,
  identities: CHANGE_AND_DELETE,
  invites: CHANGE,
  limit_counts: CHANGE_AND_DELETE,
  links: [...ADD, 'DELETE'],
  log_epochs: READ,
  log_tiles: ADD,
  log_trees: CHANGE,
  memberships: CHANGE,
  mentions: ADD,
  notices: CHANGE_AND_DELETE,
  notification_channels: CHANGE_AND_DELETE,
  notification_settings: CHANGE_AND_DELETE,
  oauth_records: CHANGE_AND_DELETE,
  participants: CHANGE_AND_DELETE,
  passkeys: CHANGE_AND_DELETE,
  personal_access_tokens: CHANGE_AND_DELETE,
  pictures: CHANGE_AND_DELETE,
  presences: CHANGE_AND_DELETE,
  rate_counts: CHANGE_AND_DELETE,
  reactions: [...ADD, 'DELETE'],
  read_cursors: CHANGE,
  revisions: ADD,
  server_keys: ADD,
  snoozes: CHANGE_AND_DELETE,
  space_policies: CHANGE,
  space_preferences: CHANGE_AND_DELETE,
  space_owners: [...ADD, 'DELETE'],
  spaces: CHANGE,
  summaries: [...ADD, 'DELETE'],
  tenant_quotas: [...READ, 'UPDATE'],
  tenants: CHANGE,
  threads: ADD,
  used_codes: CHANGE_AND_DELETE,
  incoming_webhooks: CHANGE_AND_DELETE,
  webhook_attempts: CHANGE_AND_DELETE,
  webhook_cursors: CHANGE_AND_DELETE,
  webhooks: CHANGE_AND_DELETE,
  work_claims: CHANGE,
}

/** The functions that run with the rights of the owner. */
const FUNCTIONS = ['tend_tables()', 'move_spaces(uuid, uuid, text[], text[])']

/**
 * Migrates the database as its owner, who then grants the serving role the rights of a running server: it checks first, and
 * usually grants nothing. It revokes no right on a table, as a server of another version may use it. Throws an
 * OperatorError like `migrate`.
 */
export async function migrateForService(
  owner: ConnectionOptions,
  service: ConnectionOptions,
  log: LogFunction,
): Promise<void> {
  const serving = roleOf(service)
  // A failed migration is reported first.
  serving.catch(() => {})
  await withClient(owner, async (client) => {
    await migrateWith(client, log)
    await grant(client, await serving, log)
  })
}

async function grant(client: pg.Client, role: string, log: LogFunction): Promise<void> {
  const isTooPowerful = await mayRewriteHistory(client, role)
  if (isTooPowerful) {
    log('warn', 'the role that serves may change and delete events: let another one own the tables', { role })
  }
  // Such a role may be the owner, from which a REVOKE takes nothing.
  const missing = async () =>
    (await missingGrants(client, role)).filter((statement) => !isTooPowerful || statement.startsWith('GRANT'))
  if ((await missing()).length === 0) return
  // Concurrent starts would fail with "tuple concurrently updated".
  await takeLock(client, log)
  const grants = await missing()
  await client.query(['BEGIN', ...grants, 'COMMIT'].join(';\n'))
  log('info', 'Granted what it needs to the role that serves', { role })
}

/** The name according to the server, which may differ from the one of a pooler. */
async function roleOf(connection: ConnectionOptions): Promise<string> {
  const { rows } = await withClient(connection, (client) =>
    client.query<{ role: string }>('SELECT current_user::text AS role'),
  )
  return rows[0]?.role ?? ''
}

/** A superuser, the owner, or a member of its role, whose rights cannot be revoked. */
async function mayRewriteHistory(client: pg.Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `SELECT has_table_privilege($1, 'events', 'UPDATE') OR has_table_privilege($1, 'events', 'DELETE') AS may`,
    [role],
  )
  return rows[0]?.may === true
}

/** The missing statements. */
async function missingGrants(client: pg.Client, role: string): Promise<string[]> {
  const to = client.escapeIdentifier(role)
  const { rows } = await client.query<{ statement: string }>(MISSING, [
    role,
    JSON.stringify(TABLE_RIGHTS),
    to,
    FUNCTIONS,
  ])
  return rows.map(({ statement }) => statement)
}

/** New databases allow every role to create temporary tables, and before PostgreSQL 15 all others, too. */
const MISSING = `
  SELECT format('GRANT %s ON %s TO %s', string_agg(wanted, ', '), table_name::regclass, $3::text) AS statement
  FROM json_each($2::json) AS t(table_name, rights), json_array_elements_text(rights) AS wanted
  WHERE NOT has_table_privilege($1::name, table_name, wanted)
  GROUP BY table_name
  UNION ALL
  SELECT format('GRANT EXECUTE ON FUNCTION %s TO %s', function_name::regprocedure, $3)
  FROM unnest($4::text[]) AS function_name
  WHERE NOT has_function_privilege($1::name, function_name, 'EXECUTE')
  UNION ALL
  SELECT format('GRANT USAGE ON SCHEMA %I TO %s', current_schema(), $3)
  WHERE NOT has_schema_privilege($1, current_schema(), 'USAGE')
  UNION ALL
  SELECT format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC', current_schema())
  FROM pg_namespace WHERE nspname = current_schema() AND pg_has_role(nspowner, 'USAGE')
    AND has_schema_privilege($1, oid, 'CREATE')
  UNION ALL
  SELECT format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', datname)
  FROM pg_database WHERE datname = current_database() AND pg_has_role(datdba, 'USAGE')
    AND has_database_privilege($1, oid, 'TEMPORARY')`
