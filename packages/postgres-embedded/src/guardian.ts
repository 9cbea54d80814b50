import pg from 'pg'

export interface Connection {
  /** The directory of the socket. */
  host: string
  port: number
  user: string
  password: string
  database: string
}

/** Whoever holds this advisory lock owns the data. It spells "SpacesPG". */
const OWNER = [0x53706163, 0x65735047]

/** No PostgreSQL there; one that is starting, recovering or shutting down; one without a free connection. */
export type NoEntry = 'silent' | 'starting' | 'full'

/** Tries to connect, once. Throws when PostgreSQL answers but refuses us for good. */
export async function knock(connection: Connection): Promise<pg.Client | NoEntry> {
  const client = new pg.Client({ ...connection, ssl: false, connectionTimeoutMillis: 5_000, application_name: 'owner' })
  // A connection that breaks ends; who needs to know listens for that.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    const { code } = error as { code?: string }
    void client.end().catch(() => {})
    if (code === '57P03') return 'starting'
    if (code === '53300') return 'full'
    // The class of wrong passwords and refused roles: waiting will not help.
    if (code?.startsWith('28') || code === '3D000') throw error
    return 'silent'
  }
}

/** Takes the ownership of the data for as long as this connection lives; false when another has it. */
export async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, $2) as locked', OWNER)
  return rows[0]?.locked === true
}

/** Does anybody own the data? Only looks, so that an owner about to take the lock is not disturbed. */
export async function isOwned(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_locks where locktype = 'advisory' and granted
      and classid = $1::bigint::oid and objid = $2::bigint::oid and objsubid = 2`,
    OWNER,
  )
  return rows.length > 0
}

export async function secondsRunning(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ seconds: number }>(
    'select extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 as seconds',
  )
  return rows[0]?.seconds ?? 0
}
