import type { Database } from '@collab-spaces/db'
import { PUSHES_TO_HOST, RATES, type Rate } from '@collab-spaces/domain'
import { RateLimit, type Refusal } from './rate-limit.js'
import { SharedCounts } from './shared-counts.js'
import { StreamLimit } from './stream-limit.js'

/** How much requests may ask for; 0 means no limit. */
export interface RequestLimitSettings {
  /** From one address in an hour. */
  readonly failedCredentials: number
  /** These are for one human in a minute. */
  readonly writes: number
  readonly heavyReads: number
  /** For one human at a time. */
  readonly streams: number
}

/** Strangers may store so much in an hour, from one address. What they store is small, and soon deleted. */
const AUTHORIZATIONS = 600
const CLIENTS = 100

export type RequestLimits = ReturnType<typeof openRequestLimits>

/**
 * Limits on what requests ask for; null for one that is off. All servers of a database count together. `onFailedOften` is
 * told once in a window of an address from which no failed credential is answered any more.
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
