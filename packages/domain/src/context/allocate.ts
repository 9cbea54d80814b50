/** A claim to a part of a budget. */
export interface Claim {
  /** Its share, relative to the others. */
  readonly share: number
  /** The most that it could use. */
  readonly need: number
  /** With less it can do nothing. */
  readonly least: number
  /** The lowest rank is served first, both with what is least and with what others leave. */
  readonly rank: number
}

/**
 * Divides a budget: first to each what is least, then by shares. A share that one does not need goes to those that need
 * more, in the order of their ranks.
 */
export function allocate<Name extends string>(
  budget: number,
  claims: Readonly<Record<Name, Claim>>,
): Record<Name, number> {
  const grants = Object.entries<Claim>(claims).map(([name, claim]) => ({ name, claim, tokens: 0 }))
  const byRank = [...grants].sort((a, b) => a.claim.rank - b.claim.rank)
  let left = budget
  const give = (grant: (typeof grants)[number], wanted: number) => {
    const tokens = Math.min(left, wanted, grant.claim.need - grant.tokens)
    grant.tokens += tokens
    left -= tokens
  }
  for (const grant of byRank) if (grant.claim.least <= left) give(grant, grant.claim.least)
  const shared = left
  const shares = grants.reduce((sum, { claim }) => sum + claim.share, 0)
  for (const grant of byRank) if (shares > 0) give(grant, Math.floor((shared * grant.claim.share) / shares))
  for (const grant of byRank) give(grant, left)
  return Object.fromEntries(grants.map(({ name, tokens }) => [name, tokens])) as Record<Name, number>
}
