import type { WorkClaim } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import { type StyledText, styled, type Text } from '../terminal/styled.js'
import { fields, numberedTable } from '../terminal/table.js'
import { timeOfDay } from '../terminal/time.js'

/** The subject of a claim. */
export const subjectOf = ({
  event_id,
  decision_id,
  key,
}: Pick<WorkClaim, 'event_id' | 'decision_id' | 'key'>): string => {
  if (event_id !== null) return `event ${event_id}`
  return decision_id === null ? (key ?? '') : `decision ${decision_id}`
}

/** "Scout has this until 14:05", and how far it is. */
export const claimLine = ({ holder_name, expires_at, progress }: WorkClaim): StyledText =>
  styled`${holder_name} has this until ${timeOfDay(expires_at)}${progress === null ? '' : styled`: ${progress}`}`

export function listOfClaims(claims: readonly WorkClaim[], space_id: string, style: Style): Text {
  if (claims.length === 0) return `Nothing is claimed. Claim something: spaces claim take ${space_id} --event EVENT`
  return numberedTable(style, claims, {
    claim: ({ claim_id }) => claim_id,
    what: subjectOf,
    who: ({ holder_name }) => holder_name,
    until: ({ expires_at }) => timeOfDay(expires_at),
    progress: ({ progress, note }) => progress ?? note ?? '',
  })
}

export const oneClaim = (claim: WorkClaim, style: Style): Text =>
  fields(style, [
    ['claim', style.bold(claim.claim_id)],
    ['of', subjectOf(claim)],
    ['holder', claim.holder_name],
    ['fence', String(claim.fence)],
    ['until', timeOfDay(claim.expires_at)],
    ['note', claim.note],
  ])
