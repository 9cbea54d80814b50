import { type ConnectionOptions, inTransaction, recordOfOperator } from '@collab-spaces/db'
import { INSTALLATION } from '@collab-spaces/domain'
import { withClient } from './migration/apply.js'

/** The fingerprint of the server key used with this database; undefined without one. */
export async function knownServerKey(connection: ConnectionOptions): Promise<string | undefined> {
  const { rows } = await withClient(connection, (client) =>
    client.query<{ fingerprint: string }>('SELECT fingerprint FROM server_keys'),
  )
  return rows[0]?.fingerprint
}

/** Records a server key, unless one exists. Of concurrent starts, the first wins, and all read its key. */
export async function recordServerKey(connection: ConnectionOptions, fingerprint: string): Promise<string> {
  await withClient(connection, (client) =>
    client.query('INSERT INTO server_keys (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING', [fingerprint]),
  )
  return (await knownServerKey(connection)) ?? fingerprint
}

/** Deletes the server key, so that the next start records another one. Returns the old fingerprint. */
export async function forgetServerKey(connection: ConnectionOptions): Promise<string | undefined> {
  return withClient(connection, (client) =>
    inTransaction(client, async () => {
      const { rows } = await client.query<{ fingerprint: string }>('DELETE FROM server_keys RETURNING fingerprint')
      const fingerprint = rows[0]?.fingerprint
      if (fingerprint) await recordOfOperator(client, INSTALLATION, 'server_key.forgotten', fingerprint)
      return fingerprint
    }),
  )
}
