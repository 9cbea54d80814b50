import type { Member } from './actor.js'
import { isConversation } from './conversation.js'
import { conflict, forbidden } from './errors.js'
import { LIMITS } from './limits.js'

export const SPACE_STATUSES = ['active', 'paused', 'archived'] as const
export type SpaceStatus = (typeof SPACE_STATUSES)[number]

/** Whether all members of the tenant see a space, or only its participants. */
export const VISIBILITIES = ['open', 'private'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/** The statuses in which the log accepts events. The store is given this list and has no rule of its own. */
export const ACCEPTING_STATUSES: readonly SpaceStatus[] = ['active']

/** The statuses that may follow each status. It may also stay, except `archived`: see `requireCanUnarchive`. */
const TRANSITIONS: Readonly<Record<SpaceStatus, readonly SpaceStatus[]>> = {
  active: ['active', 'paused', 'archived'],
  paused: ['paused', 'active', 'archived'],
  archived: [],
}

export const spaceArchived = () => conflict('Space is archived')
export const spaceNotActive = () => conflict('Space is not active')
export const spaceTaken = () => conflict('space_id is already taken')

/** The refusal for a sponsor who sees a private space only because its agent participates in it. */
export const notInSpace = () => forbidden('Only participants of this space may do this; one of its owners can add you')

/**
 * The id of a space that the operator deleted, or that moved to another tenant, is never used again: limits of credentials
 * and codes name the former space, and its sealed history has this name.
 */
export const spaceWasDeleted = () => conflict('space_id was that of a deleted space; choose another one')
export const spaceHasMoved = () =>
  conflict('space_id was that of a space that moved to another tenant; choose another one')

/** The status after a request for `wanted` (undefined: only other fields change). Throws if the space is archived. */
export function nextSpaceStatus(status: SpaceStatus, requested: SpaceStatus | undefined): SpaceStatus {
  const next = requested ?? status
  if (!TRANSITIONS[status].includes(next)) throw spaceArchived()
  return next
}

export function requireAcceptsEvents(status: SpaceStatus): void {
  if (!ACCEPTING_STATUSES.includes(status)) throw spaceNotActive()
}

const DAY_MS = 86_400_000

/**
 * An archived space can be brought back for a while. `endedAt` is when it was archived: a space that is being deleted has
 * no such time.
 */
export function requireCanUnarchive(
  { spaceId, status, endedAt }: { spaceId: string; status: SpaceStatus; endedAt: Date | null },
  now: Date,
): void {
  if (status !== 'archived') throw conflict('Space is not archived')
  if (!endedAt) throw conflict('Space is being deleted')
  // Its people can have no other conversation.
  if (!isConversation(spaceId) && now.getTime() - endedAt.getTime() > LIMITS.unarchiveDays * DAY_MS) {
    throw conflict(
      `Space was archived more than ${LIMITS.unarchiveDays} days ago and stays so; create a new one and link to it`,
    )
  }
}

/** The owners of a space, and their agents. */
export const owns = ({ actorId, sponsorId }: Member, owners: readonly string[]): boolean =>
  owners.includes(actorId) || (sponsorId !== null && owners.includes(sponsorId))

/** The owners of a space, their agents, and the admins of its tenant. */
export const canGovern = (caller: Member, owners: readonly string[]): boolean => caller.isAdmin || owns(caller, owners)

export const notAnOwner = () => forbidden('Only owners of this space may do this')

/** A guest is in the spaces that it was added to. */
export function requireCanCreateSpace({ isGuest }: { readonly isGuest: boolean }): void {
  if (isGuest) throw forbidden('A guest cannot create spaces')
}

/** A conversation stays between its participants, so neither its visibility nor its owners change. */
export function requireChangeable(
  spaceId: string,
  change: { readonly visibility?: unknown; readonly owners?: unknown },
): void {
  if (isConversation(spaceId) && (change.visibility !== undefined || change.owners !== undefined)) {
    throw conflict('A conversation stays between those it was started with; create a private space instead')
  }
}

/** Title, description, links, visibility, status, owners and policy of a space. */
export function requireCanGovern(caller: Member, owners: readonly string[]): void {
  if (!canGovern(caller, owners)) throw notAnOwner()
}
