import type { TenantId } from '@collab-spaces/domain'

/** The histories of a space with a tree. */
export const SPACE_TREES = ['events', 'decisions'] as const
export type SpaceTree = (typeof SPACE_TREES)[number]

export type TreeName = SpaceTree | 'audit'

/** A Merkle tree over a history. */
export interface TreeKey {
  readonly tenantId: TenantId
  /** Null for the security log of the tenant. */
  readonly spaceId: string | null
  readonly tree: TreeName
}

/** The key as stored in the tables. */
export const placeOf = ({ spaceId }: Pick<TreeKey, 'spaceId'>): string => spaceId ?? ''

/** The initial epoch of local logs. */
export const EPOCH = 'coalesce((SELECT max(epoch) FROM log_epochs), 1)'
