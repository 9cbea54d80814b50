import type { ActorRef, Member } from './actor.js'
import { isConversation } from './conversation.js'
import { conflict, type DomainError, invalid } from './errors.js'
import { canGovern, notAnOwner, notInSpace, owns, type SpaceStatus, spaceArchived, type Visibility } from './space.js'

/** A role in a space. */
export const PARTICIPANT_ROLES = ['member', 'owner'] as const
export type ParticipantRole = (typeof PARTICIPANT_ROLES)[number]

/** Throws for an archived space, which cannot be joined. */
export function requireJoinable(status: SpaceStatus): void {
  if (status === 'archived') throw spaceArchived()
}

/** An actor that is to become a participant. */
export interface AddedParticipant {
  readonly actorId: string
  /** Without it, the owners stay. */
  readonly role?: ParticipantRole | undefined
}

/** An admin makes itself an owner of a space that it need not see. */
export const isTakeover = (caller: Member, { actorId, role }: AddedParticipant): boolean =>
  caller.isAdmin && actorId === caller.actorId && role === 'owner'

/** The state of a space that decides who enters it. */
export interface EnteredSpace {
  readonly spaceId: string
  readonly status: SpaceStatus
  readonly visibility: Visibility
}

/** Rejects an actor that enters a space by its own right: open spaces take in all members of the tenant. */
export function requireCanEnter(
  { status, visibility }: EnteredSpace,
  { isGuest }: { readonly isGuest: boolean },
): void {
  if (visibility !== 'open' || isGuest) throw notInSpace()
  requireJoinable(status)
}

/** An actor that is admitted to a space. */
export interface Entrant {
  readonly isGuest: boolean
}

/**
 * Returns why an actor cannot admit another one to a space; null if it can. No one can be added to a conversation. A private space
 * takes the right of an owner. An open one admits members by anyone's right, and guests by that of an owner or an admin.
 * The admitter is null for the operator.
 */
export function admissionRefusal(
  { spaceId, visibility }: Omit<EnteredSpace, 'status'>,
  owners: readonly string[],
  admitter: Member | null,
  { isGuest }: Entrant,
): DomainError | null {
  if (isConversation(spaceId)) return conversationIsFixed()
  if (admitter === null) return null
  if (visibility === 'private') return owns(admitter, owners) ? null : notAnOwner()
  return isGuest && !canGovern(admitter, owners) ? notAnOwner() : null
}

/** Rejects an admission: see `admissionRefusal`. */
export function requireCanAdmit(...admission: Parameters<typeof admissionRefusal>): void {
  const refusal = admissionRefusal(...admission)
  if (refusal) throw refusal
}

/** The owners that can admit while owners change: those before, and an admin who becomes one by this very change. */
export const admittingOwners = (
  caller: Member,
  before: readonly string[],
  after: readonly string[],
): readonly string[] => (caller.isAdmin && after.includes(caller.actorId) ? [...before, caller.actorId] : before)

/** An agent code names a space whose owners no longer include its sponsor. */
export const codeAdmitsNoMore = () =>
  conflict('This code no longer admits an agent to its space: ask an owner of the space for another code')

const conversationIsFixed = () => conflict('A conversation stays between those it was started with; start another one')

/** A conversation has those it was started with, and a space belongs to humans. */
export function requireCanBeAdded(spaceId: string, actor: ActorRef, role?: ParticipantRole): void {
  if (isConversation(spaceId)) throw conversationIsFixed()
  if (role === 'owner' && actor.actorType !== 'human') throw invalid('role', 'only a human can be an owner')
}

/** Owners remove any participant; every participant removes itself and its own agents. */
export function requireCanTakeOut(caller: Member, actor: ActorRef, spaceId: string, owners: readonly string[]): void {
  if (actor.actorId === caller.actorId || actor.sponsorId === caller.actorId) return
  if (!canGovern(caller, owners)) throw notAnOwner()
  if (isConversation(spaceId))
    throw conflict('A conversation stays between those it was started with; leave it instead')
}

/** Returns the owners of a space after an addition. Throws if the last one would become a member. */
export function ownersAfter(owners: readonly string[], { actorId, role }: AddedParticipant): readonly string[] {
  if (role === undefined) return owners
  const others = owners.filter((owner) => owner !== actorId)
  if (role === 'owner') return [...others, actorId].sort()
  if (others.length < owners.length) requireOwnerLeft(others, 1)
  return others
}

/** Throws if a space would keep participants without an owner. */
export function requireOwnerLeft(owners: readonly string[], others: number): void {
  if (owners.length === 0 && others > 0) throw conflict('A space needs an owner: name another one first')
}
