import { type DomainError, forbidden, RetryLater } from './errors.js'

/** The quotas of a tenant; null for no limit. */
export interface Quotas {
  /** A day of UTC. */
  readonly eventsPerDay: number | null
  readonly spaces: number | null
  readonly agents: number | null
  readonly tokens: number | null
  /** Of its events, as they are sent. */
  readonly bytes: number | null
  /** Of the contents of its files, each counted once, and of the pictures of its actors. */
  readonly fileBytes: number | null
  /** Per human, so that a stolen token cannot create thousands of agents and tokens. */
  readonly agentsPerHuman: number | null
  readonly tokensPerHuman: number | null
}

/** Of a tenant that the operator has set none for. */
export const DEFAULT_QUOTAS: Quotas = {
  eventsPerDay: null,
  spaces: null,
  agents: null,
  tokens: null,
  bytes: null,
  fileBytes: null,
  agentsPerHuman: 100,
  tokensPerHuman: 100,
}

/** As the security log keeps them. */
export const shownQuotas = (quotas: Quotas) => ({
  events_per_day: quotas.eventsPerDay,
  spaces: quotas.spaces,
  agents: quotas.agents,
  tokens: quotas.tokens,
  bytes: quotas.bytes,
  file_bytes: quotas.fileBytes,
  agents_per_human: quotas.agentsPerHuman,
  tokens_per_human: quotas.tokensPerHuman,
})

/** The quotas whose use is counted at each creation. */
export type CountedNoun = 'spaces' | 'agents' | 'tokens'

/** The quotas that are also counted by human. */
export type OwnedNoun = 'agents' | 'tokens'

/** The quota of what one human has. */
export const PER_HUMAN = { agents: 'agentsPerHuman', tokens: 'tokensPerHuman' } as const satisfies Readonly<
  Record<OwnedNoun, keyof Quotas>
>

/** The events that a tenant has written. */
export interface WrittenAmount {
  /** Of today. */
  readonly events: number
  readonly bytes: number
}

const DAY_MS = 86_400_000

/** The day of UTC that a moment is in, as `2026-03-01`. */
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

const secondsToMidnight = (now: Date) => Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000)

/** Returns why a tenant may not write this many more events; null if it may. */
export function refusalOfEvents(quotas: Quotas, written: WrittenAmount, more: number, now: Date): DomainError | null {
  if (quotas.bytes !== null && written.bytes >= quotas.bytes) return quotaUsedUp(quotas.bytes, 'bytes of events')
  if (quotas.eventsPerDay === null || written.events + more <= quotas.eventsPerDay) return null
  const detail = `The quota of events a day (${quotas.eventsPerDay}) is used up until midnight UTC`
  return new RetryLater('too_many', detail, secondsToMidnight(now), 'quota')
}

/** Like `quotaUsedUp`, for the quota of one human. */
export const humansQuotaUsedUp = (quota: number, noun: OwnedNoun): DomainError => {
  const end = noun === 'agents' ? 'delete' : 'revoke'
  return forbidden(`The quota of ${noun} of one human (${quota}) is used up: ${end} some that are no longer needed`)
}

/** Returns the refusal of one more. The operator can raise the quota, and members can delete what they have. */
export const quotaUsedUp = (quota: number, noun: CountedNoun | 'bytes of events' | 'bytes of files'): DomainError =>
  forbidden(`The quota of ${noun} (${quota}) is used up`)
