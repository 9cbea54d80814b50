import type pg from 'pg'

type Client = Pick<pg.Client, 'query'>

const CLOCK = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms'

/** Reads the time of the database. */
export async function readClock(client: Client): Promise<Date> {
  const { rows } = await client.query<{ ms: number }>(CLOCK)
  return new Date(rows[0]?.ms as number)
}

/**
 * The clock of the database, used for every stored or compared time, since the clocks of servers differ. One for the
 * process, which serves one database.
 */
class DatabaseClock {
  #aheadMs = 0

  /** The estimated time of the database, never ahead of it. */
  now(): Date {
    return new Date(Date.now() + this.#aheadMs)
  }

  /** Compares it with the clock of this process. A plausible estimate stays, so that times do not jump. */
  async compare(client: Client): Promise<void> {
    const sentAt = Date.now()
    const databaseMs = (await readClock(client)).getTime()
    const [min, max] = [databaseMs - Date.now(), databaseMs - sentAt]
    if (this.#aheadMs < min || this.#aheadMs > max) this.#aheadMs = min
  }
}

export const databaseClock = new DatabaseClock()
