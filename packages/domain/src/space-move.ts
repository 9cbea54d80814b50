/**
 * Why a space stays when its people found a tenant: the first that applies, in this order. A space comes along if nothing
 * in it is of or about anyone but the founder and the founder's agents.
 */
export const STAY_REASONS = {
  tenant: 'The tenant that you leave has other members, so its spaces stay there',
  creator: 'Another person created it',
  participants: 'Other people are, were or may come in it',
  events: 'Other people posted in it',
  decisions: 'Other people took part in its decisions',
  addressed: 'It has messages or notices for other people',
  claims: 'Other people claimed work in it',
  links: 'Other people link to it, or from it',
  webhooks: 'Other people have webhooks for it',
  readers: 'Other people read or pinned it',
  deletion: 'The operator is deleting it',
  seal: 'Its history is signed with a key that this server does not have',
  size: 'It is too large to move along: ask the operator to move the tenant instead',
} as const
export type StayReason = keyof typeof STAY_REASONS

const REASONS = Object.keys(STAY_REASONS) as StayReason[]

/** Returns the reason that comes first; null for none. */
export const firstReason = (reasons: Iterable<StayReason>): StayReason | null => {
  const given = new Set(reasons)
  return REASONS.find((reason) => given.has(reason)) ?? null
}

/** The maximum number of moved events: the transaction holds its locks for a few seconds per 10,000. */
export const MAX_MOVED_EVENTS = 150_000

/** Returns the spaces beyond the limit, the largest first to be left behind. */
export function beyondLimit<Space extends { readonly eventCount: number }>(spaces: readonly Space[]): Space[] {
  let events = 0
  return [...spaces]
    .sort((one, other) => one.eventCount - other.eventCount)
    .filter(({ eventCount }) => {
      events += eventCount
      return events > MAX_MOVED_EVENTS
    })
}
