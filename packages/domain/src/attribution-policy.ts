import { type DomainError, forbidden } from './errors.js'
import type { AttributionPolicy } from './tenant-policy.js'

/** Somebody as an event names them. */
export interface Speaker {
  readonly id: string
  readonly name: string
  readonly type: string
}

/** Whether an event names another speaker than its poster. Another type alone makes nobody else of it. */
const namesAnother = (poster: Speaker, speaker: Speaker): boolean =>
  speaker.id !== poster.id || speaker.name !== poster.name

/** The words that the endpoints put for the type of who speaks for itself. */
const TYPES_OF_POSTERS: readonly string[] = ['human', 'agent']

/** Whether a policy forbids a speaker, whoever is a member; null where that depends on it. */
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
    "The tenant's policy forbids to speak as another member: speak as yourself, as an agent of yours, or as somebody who is " +
    'not a member',
  none: "The tenant's policy lets everybody speak only as themselves: send your own id and name as the speaker, or none",
}

/** The refusal of a speaker. `place` is where it stands in a batch: empty, or `events.3: `. */
export const speakerForbidden = (policy: Exclude<AttributionPolicy, 'free'>, place = ''): DomainError =>
  forbidden(place + DETAILS[policy])
