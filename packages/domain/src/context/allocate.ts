/** A demand for a part of a budget. */
export interface Demand {
  /** Its share, relative to the others. */
  readonly share: number
  /** The most that it could use. */
  readonly need: number
  /** With less it can do nothing. */
  readonly least: number
  /** The lowest rank is served first, both with its minimum and with what other sections leave. */
  readonly rank: number
}

/**
 * Divides a budget: first to each what is least, then by shares. A share that one does not need goes to those that need
 * more, in the order of their ranks.
 */
export function allocate<Name extends string>(
  budget: number,
  demands: Readonly<Record<Name, Demand>>,
): Record<Name, number> {
  const grants = Object.entries<Demand>(demands).map(([name, demand]) => ({ name, demand, tokens: 0 }))
  const byRank = [...grants].sort((a, b) => a.demand.rank - b.demand.rank)
  let left = budget
  const give = (grant: (typeof grants)[number], wanted: number) => {
    const tokens = Math.min(left, wanted, grant.demand.need - grant.tokens)
    grant.tokens += tokens
    left -= tokens
  }
  for (const grant of byRank) if (grant.demand.least <= left) give(grant, grant.demand.least)
  const shared = left
  const shares = grants.reduce((sum, { demand }) => sum + demand.share, 0)
  for (const grant of byRank) if (shares > 0) give(grant, Math.floor((shared * grant.demand.share) / shares))
  for (const grant of byRank) give(grant, left)
  return Object.fromEntries(grants.map(({ name, tokens }) => [name, tokens])) as Record<Name, number>
}
