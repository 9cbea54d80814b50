import { arraysOf } from '../connection/columns.js'
import type { StoreContext } from '../connection/store-context.js'

/** The count of one server under a key. */
export interface LimitCount {
  readonly key: string
  readonly count: number
  /** The time to expiry. */
  readonly lastsMs: number
}

/** Reads the other servers' rows from the snapshot of the statement, which writes only rows of this server. */
const SHARE = `
  WITH stored AS (
    INSERT INTO limit_counts (key, server_id, count, expires_at)
    SELECT key, $1, count, now() + ms * interval '1 ms' FROM unnest($2::text[], $3::int[], $4::float8[]) AS t(key, count, ms)
    ON CONFLICT (key, server_id) DO UPDATE SET count = excluded.count, expires_at = excluded.expires_at
  )
  SELECT key, sum(count)::int AS others FROM limit_counts
  WHERE key = ANY ($2::text[]) AND server_id <> $1 AND expires_at > now()
  GROUP BY key`

export const limitCountStore = ({ requests }: StoreContext) => ({
  /**
   * Replaces the counts of a server under these keys, and returns the sums of the other servers' unexpired counts. A key
   * without such counts has no entry.
   */
  async share(serverId: string, counts: readonly LimitCount[]): Promise<ReadonlyMap<string, number>> {
    const { rows } = await requests.query<{ key: string; others: number }>({
      name: 'share_limit_counts',
      text: SHARE,
      values: [serverId, ...arraysOf(counts, 'key', 'count', 'lastsMs')],
    })
    return new Map(rows.map(({ key, others }) => [key, others]))
  },

  /** Deletes expired counts. */
  async deleteExpired(): Promise<void> {
    await requests.query('DELETE FROM limit_counts WHERE expires_at <= now()')
  },
})
