import type { ActorRef, Member } from './actor.js'
import { isConversation } from './conversation.js'
import { conflict, forbidden, invalid } from './errors.js'
import { canGovern, type SpaceStatus, spaceArchived } from './space.js'

/** A role in a space. */
export const PARTICIPANT_ROLES = ['member', 'owner'] as const
export type ParticipantRole = (typeof PARTICIPANT_ROLES)[number]

/** Nobody joins a space that is archived. */
export function requireJoinable(status: SpaceStatus): void {
  if (status === 'archived') throw spaceArchived()
}

/** Somebody who is to take part in a space. */
export interface Added {
  readonly actorId: string
  readonly role: ParticipantRole
}

/** An admin makes itself an owner of a space that it need not see. */
export const isTakeover = (caller: Member, { actorId, role }: Added): boolean =>
  caller.isAdmin && actorId === caller.actorId && role === 'owner'

/** A conversation has those it was started with, and a space belongs to humans. */
export function requireCanBeAdded(spaceId: string, actor: ActorRef, role: ParticipantRole): void {
  if (isConversation(spaceId))
    throw conflict('A conversation stays between those it was started with; start another one')
  if (role === 'owner' && actor.actorType !== 'human') throw invalid('role', 'only a human can be an owner')
}

/** Owners take out anybody, and everybody themselves and their own agents. */
export function requireCanTakeOut(caller: Member, actor: ActorRef, spaceId: string, owners: readonly string[]): void {
  if (actor.actorId === caller.actorId || actor.sponsorId === caller.actorId) return
  if (!canGovern(caller, owners)) throw forbidden('Only owners of this space may do this')
  if (isConversation(spaceId))
    throw conflict('A conversation stays between those it was started with; leave it instead')
}

/** Somebody has to be there who can add others. */
export function requireOwnerLeft(owners: readonly string[], others: number): void {
  if (owners.length === 0 && others > 0) throw conflict('A private space needs an owner: name another one first')
}
