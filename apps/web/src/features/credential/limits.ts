import type { TokenScope } from '../../shared/query/credential'

/** The limits of a new credential, as somebody chooses them. */
export interface LimitsWish {
  readonly scopes: readonly TokenScope[]
  /** None for all. */
  readonly spaceIds: readonly string[]
  readonly lifetime: Lifetime
}

export const SCOPES: readonly TokenScope[] = ['read', 'write', 'settle', 'manage', 'account']

/** How long a credential lives, in days. */
const LIFETIMES = { day: 1, week: 7, month: 30, quarter: 90, year: 365, always: null } as const
type Lifetime = keyof typeof LIFETIMES

const DAY_MS = 86_400_000

/** The wish as the service takes it: what is not limited is left out. */
export function limitsOf({ scopes, spaceIds, lifetime }: LimitsWish, now: number) {
  const days = LIFETIMES[lifetime]
  return {
    scopes: scopes.length === SCOPES.length ? undefined : SCOPES.filter((scope) => scopes.includes(scope)),
    space_ids: spaceIds.length === 0 ? undefined : [...spaceIds],
    expires_at: days === null ? undefined : new Date(now + days * DAY_MS).toISOString(),
  }
}
