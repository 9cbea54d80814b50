import type pg from 'pg'

/** What one server has counted under a key. */
export interface LimitCount {
  readonly key: string
  readonly count: number
  /** How much longer it counts. */
  readonly lastsMs: number
}

export interface LimitCountStore {
  /**
   * Stores what a server has counted, in place of what it has stored under the same keys, and returns the sums of what
   * the others have stored under them; none for a key that no other has.
   */
  share(serverId: string, counts: readonly LimitCount[]): Promise<ReadonlyMap<string, number>>
  /** Deletes what no longer counts. */
  deleteExpired(): Promise<void>
}

/** The others' rows are read as they are before the statement, and have other keys than those it writes. */
const SHARE = `
  WITH stored AS (
    INSERT INTO limit_counts (key, server_id, count, expires_at)
    SELECT key, $1, count, now() + ms * interval '1 ms' FROM unnest($2::text[], $3::int[], $4::float8[]) AS t(key, count, ms)
    ON CONFLICT (key, server_id) DO UPDATE SET count = excluded.count, expires_at = excluded.expires_at
  )
  SELECT key, sum(count)::int AS others FROM limit_counts
  WHERE key = ANY ($2::text[]) AND server_id <> $1 AND expires_at > now()
  GROUP BY key`

export function limitCountStore(pool: pg.Pool): LimitCountStore {
  return {
    async share(serverId, counts) {
      const { rows } = await pool.query<{ key: string; others: number }>({
        name: 'share_limit_counts',
        text: SHARE,
        values: [
          serverId,
          counts.map(({ key }) => key),
          counts.map(({ count }) => count),
          counts.map(({ lastsMs }) => lastsMs),
        ],
      })
      return new Map(rows.map(({ key, others }) => [key, others]))
    },

    async deleteExpired() {
      await pool.query('DELETE FROM limit_counts WHERE expires_at <= now()')
    },
  }
}
