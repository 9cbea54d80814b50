import { conflict, invalid } from './errors.js'

/** The target of a link: another space of the tenant, or a URI. */
export type LinkTarget = { readonly spaceId: string } | { readonly uri: string }

/** As seen from a space: the links that it has, those of other spaces that lead to it, or all of them. */
export const LINK_DIRECTIONS = ['out', 'in', 'both'] as const
export type LinkDirection = (typeof LINK_DIRECTIONS)[number]

export const DEFAULT_LINK_TYPE = 'related'

export const linkTaken = () => conflict('Link already exists')

/** Exactly one target, and not the space itself. */
export function linkTarget(spaceId: string, targetId: string | undefined, targetUri: string | undefined): LinkTarget {
  if (targetId !== undefined && targetUri !== undefined) {
    throw invalid('target_id', 'cannot be given together with target_uri')
  }
  if (targetId === undefined && targetUri === undefined) {
    throw invalid('target_id', 'is required unless target_uri is given')
  }
  if (targetUri !== undefined) return { uri: targetUri }
  if (targetId === spaceId) throw invalid('target_id', 'must be another space')
  return { spaceId: targetId as string }
}

const FORBIDDEN_SCHEMES = new Set(['javascript:', 'data:', 'vbscript:'])

/** An external link is an absolute URL that a browser may be sent to. */
export function isExternalLink(link: string): boolean {
  // Browsers ignore tabs and newlines inside a scheme. URL does too, unlike a pattern.
  return URL.canParse(link) && !FORBIDDEN_SCHEMES.has(new URL(link).protocol)
}
