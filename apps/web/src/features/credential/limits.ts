import type { TokenScope } from '../../shared/query/credential'

/** The limits of a new credential, as the form has them. */
export interface LimitsDraft {
  readonly scopes: readonly TokenScope[]
  /** Empty for all spaces. */
  readonly spaceIds: readonly string[]
  readonly lifetime: Lifetime
}

export const SCOPES: readonly TokenScope[] = ['read', 'write', 'react', 'settle', 'manage', 'account']

/** Lifetimes of a credential in days. */
const LIFETIMES = { day: 1, week: 7, month: 30, quarter: 90, year: 365, always: null } as const
type Lifetime = keyof typeof LIFETIMES

const DAY_MS = 86_400_000

/** Returns the limits as the API takes them, without those that are unlimited. */
export function limitsOf({ scopes, spaceIds, lifetime }: LimitsDraft, now: number) {
  const days = LIFETIMES[lifetime]
  return {
    scopes: scopes.length === SCOPES.length ? undefined : SCOPES.filter((scope) => scopes.includes(scope)),
    space_ids: spaceIds.length === 0 ? undefined : [...spaceIds],
    expires_at: days === null ? undefined : new Date(now + days * DAY_MS).toISOString(),
  }
}
