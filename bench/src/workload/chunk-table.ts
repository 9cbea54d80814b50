import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ConnectionOptions } from '@collab-spaces/postgres-embedded'
import pg from 'pg'

const CHUNK_BYTES = 256 * 1024
const CHUNK = randomBytes(CHUNK_BYTES)
/** As many as the server writes at a time. */
const CONNECTIONS = 2

/** A table like that of the server's files, to which the driver of PostgreSQL writes without a server. */
export class ChunkTable {
  private constructor(private readonly pool: pg.Pool) {}

  static async open(connection: ConnectionOptions): Promise<ChunkTable> {
    const pool = new pg.Pool({ ...connection, max: CONNECTIONS })
    await pool.query(`
      CREATE TABLE bare_chunks (content_id uuid, index integer, bytes bytea NOT NULL, PRIMARY KEY (content_id, index));
      ALTER TABLE bare_chunks ALTER bytes SET STORAGE EXTERNAL`)
    return new ChunkTable(pool)
  }

  /** Writes the chunks of a file at a pace in bytes per second, each in a commit that does not wait, and removes them. */
  async transfer(bytes: number, pace: number): Promise<void> {
    const id = randomUUID()
    const text = `INSERT INTO bare_chunks SELECT $1, $2, $3 FROM set_config('synchronous_commit', 'off', true)`
    for (let index = 0; index * CHUNK_BYTES < bytes; index++) {
      const chunk = CHUNK.subarray(0, bytes - index * CHUNK_BYTES)
      await this.pool.query({ name: 'write_bare_chunk', text, values: [id, index, chunk] })
      await delay((CHUNK_BYTES / pace) * 1_000)
    }
    await this.pool.query('DELETE FROM bare_chunks WHERE content_id = $1', [id])
  }

  async close(): Promise<void> {
    await this.pool.query('DROP TABLE bare_chunks')
    await this.pool.end()
  }
}
