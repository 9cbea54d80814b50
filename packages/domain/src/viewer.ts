import type { CredentialLimits } from './credential.js'
import type { TenantId } from './tenant-id.js'

/**
 * Somebody who looks into spaces, with a credential. Every read and every write in a space is for a viewer, who finds
 * only what it may see: the spaces that its credential opens, and of these the open ones, unless it is a guest, and
 * those that it or an agent of its own is in.
 */
export interface Viewer {
  readonly viewer: unique symbol
  readonly tenantId: TenantId
  readonly actorId: string
  /** Whether it sees only the spaces that it was added to. */
  readonly isGuest: boolean
  readonly limits: CredentialLimits
}

/** Only who was authenticated is a viewer, and whoever is looked up to act later on what it was given. */
export const viewerOf = (actor: Omit<Viewer, 'viewer'>) => actor as Viewer

/** A space that a store has found for a viewer. Reads below it ask no more. */
export interface ReadableSpace {
  readonly readable: unique symbol
  readonly tenantId: TenantId
  readonly spaceId: string
}
