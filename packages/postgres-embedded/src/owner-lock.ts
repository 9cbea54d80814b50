import type pg from 'pg'

/** The holder of this advisory lock owns the data. It spells "SpacesPG". */
const OWNER = [0x53706163, 0x65735047]

/** Each command on data that another one owns shares this advisory lock. It spells "SpacesIn". */
const GUEST = [0x53706163, 0x6573496e]

/** Tries to take the lock for the lifetime of this connection; returns false when another connection holds it. */
export async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, $2) as locked', OWNER)
  return rows[0]?.locked === true
}

/** Whether the lock is held. Only reads, so that an owner about to take it is not disturbed. */
export async function isOwned(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_locks where locktype = 'advisory' and granted
      and classid = $1::bigint::oid and objid = $2::bigint::oid and objsubid = 2`,
    OWNER,
  )
  return rows.length > 0
}

/** Keeps the owner from stopping PostgreSQL, as long as this connection is open. */
export async function stay(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1, $2)', GUEST)
}

/** Waits until no other connection stays. */
export async function untilAlone(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock($1, $2)', GUEST)
}
