import type { ActorRef } from './actor.js'
import { conflict, forbidden, invalid } from './errors.js'

/** The spaces that a member of a tenant sees: all open ones, or, as a guest, only those it was added to by name. */
export const ACCESSES = ['all', 'named'] as const
export type Access = (typeof ACCESSES)[number]

export const accessOf = ({ isGuest }: { readonly isGuest: boolean }): Access => (isGuest ? 'named' : 'all')

/** A guest sponsors no agents unless an admin has allowed it. */
export function requireCanSponsor({
  isGuest,
  maySponsor,
}: {
  readonly isGuest: boolean
  readonly maySponsor: boolean
}): void {
  if (isGuest && !maySponsor) throw forbidden('A guest can sponsor agents only if an admin of the tenant allows it')
}

/** A guest does not see the members of the tenant. */
export function requireCanAdd({ isGuest }: { readonly isGuest: boolean }): void {
  if (isGuest) throw forbidden('A guest cannot add participants to a space')
}

/** Only humans can be guests, and their agents with them. Admins can read every open space. */
export function requireCanHaveAccess(member: ActorRef & { readonly isAdmin: boolean }, access: Access): void {
  if (member.actorType !== 'human') throw invalid('actor_id', 'must be a human: agents see what their sponsors see')
  if (access === 'named' && member.isAdmin) {
    throw conflict('An admin cannot be a guest: make it an ordinary member first')
  }
}

/** Throws for a guest, who cannot be an admin. */
export function requireNoGuest({ isGuest }: { readonly isGuest: boolean }): void {
  if (isGuest) throw conflict('A guest cannot be an admin: let it see all open spaces first')
}
