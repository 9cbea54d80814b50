import { type DomainError, forbidden } from './errors.js'
import type { AttributionPolicy } from './tenant-policy.js'

/** A speaker as an event names it. */
export interface Speaker {
  readonly id: string
  readonly name: string
  readonly type: string
}

/** Whether an event names a speaker other than its poster. A different type alone is not another speaker. */
const namesAnother = (poster: Speaker, speaker: Speaker): boolean =>
  speaker.id !== poster.id || speaker.name !== poster.name

/** The speaker types that the endpoints set for a poster without attribution. */
const TYPES_OF_POSTERS: readonly string[] = ['human', 'agent']

/** Returns whether a policy forbids a speaker; null where that depends on the members of the tenant. */
export function isForbidden(policy: AttributionPolicy, poster: Speaker, speaker: Speaker): boolean | null {
  switch (policy) {
    case 'free':
      return false
    case 'no_members':
      return namesAnother(poster, speaker) ? null : false
    case 'none':
      return namesAnother(poster, speaker) || !TYPES_OF_POSTERS.includes(speaker.type)
  }
}

const DETAILS: Readonly<Record<Exclude<AttributionPolicy, 'free'>, string>> = {
  no_members:
    "The tenant's policy forbids attribution to another member: speak as yourself, as an agent of yours, or as a speaker who " +
    'is not a member',
  none: "The tenant's policy forbids attribution: send your own id and name as the speaker, or none",
}

/** Returns the refusal of a speaker. `place` is its prefix in a batch: empty, or `events.3: `. */
export const speakerForbidden = (policy: Exclude<AttributionPolicy, 'free'>, place: string): DomainError =>
  forbidden(place + DETAILS[policy])
