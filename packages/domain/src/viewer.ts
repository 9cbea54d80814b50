import type { CredentialLimits } from './credential.js'
import type { TenantId } from './tenant-id.js'

/**
 * An authenticated actor with its credential's limits. Every read and write in a space is for a viewer, and finds only the
 * spaces that the credential opens: of these the open ones, unless the viewer is a guest, and those that it or an agent
 * of its own participates in.
 */
export interface Viewer {
  readonly viewer: unique symbol
  readonly tenantId: TenantId
  readonly actorId: string
  /** Whether it sees only the spaces that it was added to. */
  readonly isGuest: boolean
  readonly limits: CredentialLimits
}

/** Makes a viewer of an authenticated actor, or of the stored owner of a later task such as a webhook. */
export const viewerOf = (actor: Omit<Viewer, 'viewer'>) => actor as Viewer

/** A space that a store has found for a viewer. Reads below it need no further check. */
export interface ReadableSpace {
  readonly readable: unique symbol
  readonly tenantId: TenantId
  readonly spaceId: string
}
