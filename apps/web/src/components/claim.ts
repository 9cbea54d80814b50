import { claimOf, type Spoken } from '@collab-spaces/client'
import { texts } from '../texts'

/**
 * As whom an event was posted, in words; null where that is its poster. An agent that speaks as humans do, but in its own
 * name, claims nothing: the kind of speaker is then the endpoint's word, not the agent's.
 */
export function claimInWords(event: Spoken): string | null {
  const claim = claimOf(event)
  if (!claim) return null
  const words = texts.claim
  if (claim.name !== event.posted_by_name) return words.as(claim.name)
  if (claim.type !== event.posted_by_type && claim.type !== 'human') return words.asKind(claim.type)
  return claim.id === event.posted_by ? null : words.asId(claim.id)
}

/** The poster of an event, where there is only text. */
export const posterName = ({ posted_by_name, posted_by_type }: Spoken): string =>
  posted_by_type === 'agent' ? texts.people.agentNamed(posted_by_name) : posted_by_name

/** The poster of an event, and as whom it was posted. */
export function posterInWords(event: Spoken): string {
  const claim = claimInWords(event)
  return claim === null ? posterName(event) : `${posterName(event)} ${claim}`
}

/** An event as its poster's own words, for places that show only who posted it. */
export const asPoster = <E extends Spoken>(event: E): E => ({
  ...event,
  speaker_id: event.posted_by,
  speaker_name: event.posted_by_name,
  speaker_type: event.posted_by_type,
})
