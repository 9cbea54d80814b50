import type { Database } from '@collab-spaces/db'
import { PUSHES_TO_HOST, RATES, type Rate } from '@collab-spaces/domain'
import { RateLimit, type Refusal } from './rate-limit.js'
import { SharedCounts } from './shared-counts.js'
import { StreamLimit } from './stream-limit.js'

/** The limits of requests; 0 for no limit. */
export interface RequestLimitSettings {
  /** Per address and hour. */
  readonly failedCredentials: number
  /** Per human and minute, as the next one. */
  readonly writes: number
  readonly heavyReads: number
  /** Per human, open at a time. */
  readonly streams: number
}

/** What unauthenticated callers may store per address and hour. It is small, and soon deleted. */
const AUTHORIZATIONS = 600
const CLIENTS = 100

export type RequestLimits = ReturnType<typeof openRequestLimits>

/**
 * Opens the limits of requests; null for one that is off. All instances of a database count together. `onFailedOften` is
 * called once per window and address that has reached the limit of failed credentials.
 */
export function openRequestLimits(
  settings: RequestLimitSettings,
  store: Database['limitCounts'],
  onFault: (error: unknown) => void,
  onFailedOften: (address: string, refusal: Refusal) => void,
) {
  const shared = new SharedCounts(store, onFault)
  const rateLimit = (rate: Rate, limit: number, onRefused?: typeof onFailedOften) =>
    limit === 0 ? null : new RateLimit(rate, limit, shared, onRefused)
  return {
    failedCredentials: rateLimit(RATES.failedCredentials, settings.failedCredentials, onFailedOften),
    authorizations: new RateLimit(RATES.authorizations, AUTHORIZATIONS, shared),
    clients: new RateLimit(RATES.clients, CLIENTS, shared),
    pushes: new RateLimit(RATES.pushes, PUSHES_TO_HOST, shared),
    writes: rateLimit(RATES.writes, settings.writes),
    heavyReads: rateLimit(RATES.heavyReads, settings.heavyReads),
    streams: settings.streams === 0 ? null : new StreamLimit(settings.streams, shared),
    close: () => shared.close(),
  }
}
