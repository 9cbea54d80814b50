import { conflict } from './errors.js'

export const SPACE_STATUSES = ['active', 'paused', 'archived'] as const
export type SpaceStatus = (typeof SPACE_STATUSES)[number]

/** The statuses in which the log accepts events. The store is given this list and has no rule of its own. */
export const ACCEPTING_STATUSES: readonly SpaceStatus[] = ['active']

/** The statuses that may follow each status. It may also stay, except `archived`, which is final. */
const TRANSITIONS: Readonly<Record<SpaceStatus, readonly SpaceStatus[]>> = {
  active: ['active', 'paused', 'archived'],
  paused: ['paused', 'active', 'archived'],
  archived: [],
}

export const spaceArchived = () => conflict('Space is archived')
export const spaceNotActive = () => conflict('Space is not active')
export const spaceTaken = () => conflict('space_id is already taken')

/** The status after a request for `wanted` (undefined: only other fields change). Throws if the space is archived. */
export function nextSpaceStatus(status: SpaceStatus, wanted: SpaceStatus | undefined): SpaceStatus {
  const next = wanted ?? status
  if (!TRANSITIONS[status].includes(next)) throw spaceArchived()
  return next
}

export function requireAcceptsEvents(status: SpaceStatus): void {
  if (!ACCEPTING_STATUSES.includes(status)) throw spaceNotActive()
}
