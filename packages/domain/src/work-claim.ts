import { conflict, type DomainError } from './errors.js'
import { isUuid } from './id.js'
import { LIMITS } from './limits.js'

/**
 * A work claim, called a claim in the API: the exclusive right of its holder to work on a subject until it lapses.
 */

/** How long a work claim lasts unless it is renewed, in seconds. */
export const WORK_CLAIM_TTL = { min: 10, max: 3_600, default: 300 } as const

/** The work claim that a write names. */
export interface HeldClaim {
  readonly claimId: string
  readonly fence: number
}

/** The subject of a claim in a space: an event, a decision, or anything else by a name. */
export type WorkSubject =
  | { readonly event_id: string }
  | { readonly decision_id: string }
  | {
      readonly key: string
    }

const KINDS = ['event_id', 'decision_id', 'key'] as const

/** The subject of a row. */
export function workSubjectOf(subject: WorkSubject): string {
  if ('event_id' in subject) return `event:${subject.event_id}`
  if ('decision_id' in subject) return `decision:${subject.decision_id}`
  return `key:${subject.key}`
}

/** A subject as it is shown: all three fields, of which one is not null. */
export function shownWorkSubject(subject: string): Readonly<Record<(typeof KINDS)[number], string | null>> {
  const colon = subject.indexOf(':')
  const [kind, name] = [subject.slice(0, colon), subject.slice(colon + 1)]
  return {
    event_id: kind === 'event' ? name : null,
    decision_id: kind === 'decision' ? name : null,
    key: kind === 'key' ? name : null,
  }
}

/** The one subject of what was sent; null if it names none, or several. */
export function soleWorkSubject(sent: {
  readonly event_id?: string | undefined
  readonly decision_id?: string | undefined
  readonly key?: string | undefined
}): WorkSubject | null {
  const given = KINDS.filter((kind) => sent[kind] !== undefined)
  if (given.length !== 1) return null
  if (sent.event_id !== undefined) return { event_id: lower(sent.event_id) }
  if (sent.decision_id !== undefined) return { decision_id: lower(sent.decision_id) }
  return { key: sent.key as string }
}

const lower = (id: string) => (isUuid(id) ? id.toLowerCase() : id)

/** Returns the refusal of a claim that another actor holds, with the holder and the expiry. */
export const workClaimed = (holder: string, holderName: string, expiresAt: Date): DomainError =>
  conflict(`${holderName} has claimed this until ${expiresAt.toISOString()}`, {
    error: 'claimed',
    holder,
    holder_name: holderName,
    expires_at: expiresAt.toISOString(),
  })

/** Refuses a write with a claim that has lapsed or was taken again since, even by the holder itself. */
export const workClaimLost = (): DomainError =>
  conflict('The claim is no longer yours: it has lapsed, or was taken or given back since', { error: 'claim_lost' })

export const tooManyWorkClaims = (): DomainError =>
  conflict(`An actor can have at most ${LIMITS.workClaims} claims in a space; release one`)
