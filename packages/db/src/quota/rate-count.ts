import { type Rate, rateExceeded, windowEnd } from '@collab-spaces/domain'
import type { StoreContext } from '../connection/store-context.js'

/** One use of a rate by a subject: an address, a human, or the installation. */
export interface RateUse {
  readonly rate: Rate
  readonly subject: string
  /** How many uses a window allows. */
  readonly limit: number
}

interface CountRow {
  readonly key: string
  readonly count: number
}

/** Counts that must be exact over all servers. Rates of frequent requests use `SharedCounts`, which cost no statement each. */
export const rateCountStore = ({ prisma }: StoreContext) => ({
  /** Counts one of each use. Throws 429, and counts none of them, if one is over its limit. */
  async take(uses: readonly RateUse[], now: Date): Promise<void> {
    const counts = await prisma.$transaction(async (tx) => {
      // A fixed lock order prevents deadlocks between servers.
      const rows = await tx.$queryRaw<CountRow[]>`
        INSERT INTO rate_counts (key, ends_at, count)
        SELECT key, ends_at, 1 FROM unnest(${uses.map(keyOf)}::text[], ${endsOf(uses, now)}::timestamptz[]) AS u(key, ends_at)
        ORDER BY key
        ON CONFLICT (key, ends_at) DO UPDATE SET count = rate_counts.count + 1
        RETURNING key, count`
      const counts = new Map(rows.map(({ key, count }) => [key, count]))
      for (const use of uses) if ((counts.get(keyOf(use)) ?? 0) > use.limit) throw rateExceeded(use.rate, now)
      return [...counts.values()]
    })
    if (counts.includes(1)) await prisma.rateCount.deleteMany({ where: { endsAt: { lte: now } } })
  },

  /** Reverts a `take` of that time. */
  async giveBack(uses: readonly RateUse[], takenAt: Date): Promise<void> {
    await prisma.$executeRaw`
      UPDATE rate_counts c SET count = count - 1
      FROM unnest(${uses.map(keyOf)}::text[], ${endsOf(uses, takenAt)}::timestamptz[]) AS u(key, ends_at)
      WHERE c.key = u.key AND c.ends_at = u.ends_at AND c.count > 0`
  },
})

const keyOf = ({ rate, subject }: RateUse) => `${rate.name}/${subject}`

const endsOf = (uses: readonly RateUse[], now: Date) => uses.map(({ rate }) => new Date(windowEnd(rate, now.getTime())))
