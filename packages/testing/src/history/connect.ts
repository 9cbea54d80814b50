import type { ConnectionOptions } from '@collab-spaces/db'
import pg from 'pg'

export async function connect(connection: ConnectionOptions): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, options: '-c timezone=UTC', application_name: 'history' })
  await client.connect()
  return client
}
