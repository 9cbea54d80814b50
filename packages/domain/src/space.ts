import { conflict } from './errors.js'

export const SPACE_STATUSES = ['active', 'paused', 'archived'] as const
export type SpaceStatus = (typeof SPACE_STATUSES)[number]

/** The statuses in which the log takes events. The store gets this list; it knows no rule of its own. */
export const ACCEPTING_STATUSES: readonly SpaceStatus[] = ['active']

/** Where each status may go. Staying is allowed but for `archived`, which is final. */
const TRANSITIONS: Readonly<Record<SpaceStatus, readonly SpaceStatus[]>> = {
  active: ['active', 'paused', 'archived'],
  paused: ['paused', 'active', 'archived'],
  archived: [],
}

export const spaceArchived = () => conflict('Space is archived')
export const spaceNotActive = () => conflict('Space is not active')
export const spaceTaken = () => conflict('space_id is already taken')

/** The status after a request for `wanted` (undefined: a change of other fields). Throws on an archived space. */
export function nextSpaceStatus(status: SpaceStatus, wanted: SpaceStatus | undefined): SpaceStatus {
  const next = wanted ?? status
  if (!TRANSITIONS[status].includes(next)) throw spaceArchived()
  return next
}

export function requireAcceptsEvents(status: SpaceStatus): void {
  if (!ACCEPTING_STATUSES.includes(status)) throw spaceNotActive()
}
