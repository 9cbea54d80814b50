import type pg from 'pg'

type Client = Pick<pg.Client, 'query'>

const CLOCK = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms'

/** Reads the time of the database. */
export async function readClock(client: Client): Promise<Date> {
  const { rows } = await client.query<{ ms: number }>(CLOCK)
  return new Date(rows[0]?.ms as number)
}

/**
 * The clock of the database, used for every stored or compared time, since the clocks of servers differ. A process has
 * one, because it uses one database.
 */
class DatabaseClock {
  #offsetMs = 0

  /** The estimated time of the database. */
  now(): Date {
    return new Date(Date.now() + this.#offsetMs)
  }

  /** Measures the offset of the clocks. Keeps one within the measured bounds, so that times do not jump. */
  async synchronize(client: Client): Promise<void> {
    const sentAt = Date.now()
    const databaseMs = (await readClock(client)).getTime()
    const [minMs, maxMs] = [databaseMs - Date.now(), databaseMs - sentAt]
    if (this.#offsetMs < minMs || this.#offsetMs > maxMs) this.#offsetMs = minMs
  }
}

export const databaseClock = new DatabaseClock()
