import pg from 'pg'

export interface ConnectionOptions {
  /** The directory of the socket. */
  host: string
  port: number
  user: string
  password: string
  database: string
}

/**
 * `silent`: no PostgreSQL answers. `starting`: it is starting, recovering or shutting down. `full`: it has no free
 * connection.
 */
export type NotConnected = 'silent' | 'starting' | 'full'

/** Tries to connect once. Throws when PostgreSQL refuses the connection permanently. */
export async function tryConnect(options: ConnectionOptions): Promise<pg.Client | NotConnected> {
  const client = new pg.Client({ ...options, ssl: false, connectionTimeoutMillis: 5_000, application_name: 'owner' })
  // Ignored: a broken connection also emits 'end', which callers handle.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    const { code } = error as { code?: string }
    void client.end().catch(() => {})
    if (code === '57P03') return 'starting'
    if (code === '53300') return 'full'
    // A wrong password or a refused role: a retry cannot help.
    if (code?.startsWith('28') || code === '3D000') throw error
    return 'silent'
  }
}

export async function serverUptimeSeconds(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ seconds: number }>(
    'select extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 as seconds',
  )
  return rows[0]?.seconds ?? 0
}
