import { arraysOf } from '../connection/columns.js'
import type { StoreContext } from '../connection/store-context.js'

/** The count of one server under a key. */
export interface LimitCount {
  readonly key: string
  readonly count: number
  /** How much longer it counts. */
  readonly lastsMs: number
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

export const limitCountStore = ({ requests }: StoreContext) => ({
  /**
   * Stores what a server has counted, in place of what it has stored under the same keys, and returns the sums of what
   * the others have stored under them; none for a key that no other has.
   */
  async share(serverId: string, counts: readonly LimitCount[]): Promise<ReadonlyMap<string, number>> {
    const { rows } = await requests.query<{ key: string; others: number }>({
      name: 'share_limit_counts',
      text: SHARE,
      values: [serverId, ...arraysOf(counts, 'key', 'count', 'lastsMs')],
    })
    return new Map(rows.map(({ key, others }) => [key, others]))
  },

  /** Deletes what no longer counts. */
  async deleteExpired(): Promise<void> {
    await requests.query('DELETE FROM limit_counts WHERE expires_at <= now()')
  },
})
