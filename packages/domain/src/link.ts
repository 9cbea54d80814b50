import { conflict, invalid } from './errors.js'

/** Where a link leads: to another space of the tenant, or to somewhere outside. */
export type LinkTarget = { readonly spaceId: string } | { readonly uri: string }

export const DEFAULT_LINK_TYPE = 'related'

export const linkTaken = () => conflict('Link already exists')

/** Exactly one target, and not the space itself. */
export function linkTarget(spaceId: string, targetId: string | undefined, targetUri: string | undefined): LinkTarget {
  if (targetId !== undefined && targetUri !== undefined) {
    throw invalid('target_id', 'cannot be given together with target_uri')
  }
  if (targetId === undefined && targetUri === undefined) {
    throw invalid('target_id', 'is required, or else target_uri')
  }
  if (targetUri !== undefined) return { uri: targetUri }
  if (targetId === spaceId) throw invalid('target_id', 'must be another space')
  return { spaceId: targetId as string }
}
