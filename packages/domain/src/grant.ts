import { requireSameTenant, type TenantActor } from './actor.js'
import type { TokenScope } from './credential.js'
import { forbidden, unknown } from './errors.js'

/**
 * Grants: limited credentials that humans give to programs by OAuth 2.1. The program holds a short-lived access token,
 * which opens one resource, and a refresh token for the next one.
 */

/** The resources that access tokens open, by the paths of their URLs. A token for one opens nothing at the other. */
export const RESOURCES = ['mcp', 'api'] as const
export type Resource = (typeof RESOURCES)[number]

/** The scopes of a grant for which a program requests none. */
export const DEFAULT_GRANT_SCOPES: readonly TokenScope[] = ['read', 'write']

/** Lifetime of an access token. */
export const ACCESS_TOKEN_SECONDS = 3_600

/** Lifetime of the refresh token of an unused grant. */
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3_600

/** Timeout of the consent page. */
export const CONSENT_SECONDS = 15 * 60

/** Lifetime of a self-registered client without a grant. */
export const UNUSED_CLIENT_SECONDS = 24 * 3_600

/** How large the description of a program may be, in characters of JSON. */
export const CLIENT_LENGTH = 8_192

const TOKEN = /^svc_(mcp|api)_([0-9a-z]{1,9})_[\w-]{43}$/

/** `svc_mcp_`, when it ends, in seconds since 1970 to the base of 36, and 43 random characters of base64url. */
export const accessToken = (resource: Resource, endsAt: number, random: string): string =>
  `svc_${resource}_${endsAt.toString(36)}_${random}`

/** The claims in an access token, which are true if it is known at all: the whole token is looked up by its hash. */
export interface AccessToken {
  readonly resource: Resource
  readonly expiresAt: Date
}

/** Parses an access token; null for any other text. */
export function readAccessToken(token: string): AccessToken | null {
  const [, resource, end] = TOKEN.exec(token) ?? []
  if (resource === undefined || end === undefined) return null
  return { resource: resource as Resource, expiresAt: new Date(Number.parseInt(end, 36) * 1_000) }
}

/** The part of an access token by which the library that issued it knows it. */
export const randomOf = (token: string): string => token.slice(-43)

/** Humans give grants to act as themselves or as one of their agents. 404 for any other actor. */
export function requireCanGrantAs(
  caller: TenantActor,
  actor: TenantActor & { readonly disabledAt: Date | null },
): void {
  requireSameTenant(caller, actor)
  if (actor.actorId !== caller.actorId && actor.sponsorId !== caller.actorId) throw unknown('Actor')
  if (actor.disabledAt !== null) throw forbidden('The actor is disabled')
}

/** Returns the destination of a redirect or client ID as the consent page shows it: a host, or the scheme of an app. */
export function placeOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol
}

/** The machine of the human who is asked, where any program may listen. */
const LOOPBACKS = ['localhost', '127.0.0.1', '[::1]']

/** Whether codes may be sent there: by TLS, to the machine of the human who is asked, or to an app on it. */
export function isRedirect(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol, hostname } = new URL(uri)
  return protocol !== 'http:' || LOOPBACKS.includes(hostname)
}
