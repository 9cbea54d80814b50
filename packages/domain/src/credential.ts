import type { ActorRef, ActorType } from './actor.js'
import { DomainError, forbidden, invalid, unknown } from './errors.js'
import { isUuid } from './id.js'
import { MalformedValue, storedObject, storedStrings } from './json.js'

/**
 * The scopes of credentials, one for every operation: `read` looks; `write` takes part (creates spaces, joins
 * them, speaks, links, proposes); `react` adds reactions to events; `settle` decides; `manage` changes or ends spaces,
 * and sets up webhooks; `account` is for whatever is about actors, credentials and tenants.
 */
export const TOKEN_SCOPES = ['read', 'write', 'react', 'settle', 'manage', 'account'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** The default scopes of a new agent. */
const AGENT_SCOPES: readonly TokenScope[] = ['read', 'write', 'settle']

/** The limits of a credential within its actor's rights; null for none. It never adds to that. */
export interface CredentialLimits {
  readonly scopes: readonly TokenScope[] | null
  readonly spaceIds: readonly string[] | null
  readonly expiresAt: Date | null
}

export const NO_LIMITS: CredentialLimits = { scopes: null, spaceIds: null, expiresAt: null }

/** The limits of a credential as they are stored, but for its expiry. A type and no interface, so that it is JSON. */
export type StoredLimits = {
  readonly scopes: readonly TokenScope[] | null
  readonly space_ids: readonly string[] | null
  /** The tenant of those spaces. */
  readonly tenant_id: string
}

/** Reads limits as they are stored. Throws a `MalformedValue`: a credential with unreadable limits opens nothing. */
export function limitsFrom(stored: unknown): StoredLimits {
  const { scopes = undefined, space_ids = undefined, tenant_id } = storedObject(stored)
  if (typeof tenant_id !== 'string' || !isUuid(tenant_id)) throw new MalformedValue('tenant_id must be a UUID')
  return {
    scopes: scopes === null ? null : storedStrings(scopes, TOKEN_SCOPES),
    space_ids: space_ids === null ? null : storedStrings(space_ids),
    tenant_id,
  }
}

export const tokenExpired = () =>
  new DomainError('unauthenticated', 'The credential has expired', { error: 'token_expired' })

const allows = ({ scopes }: CredentialLimits, scope: TokenScope) => scopes === null || scopes.includes(scope)

export function requireScope(limits: CredentialLimits, scope: TokenScope): void {
  if (!allows(limits, scope)) throw lacksScope(scope)
}

const lacksScope = (scope: TokenScope) =>
  new DomainError('forbidden', `Token lacks the scope "${scope}"`, { error: 'insufficient_scope', scope })

/** An actor, with the limits of the credential that it came with. */
export interface CredentialHolder {
  readonly actorType: ActorType
  readonly limits: CredentialLimits
}

/**
 * Returns why a credential does not open what has this scope, or null if it does. Actors, credentials and tenants
 * concern all spaces, so a credential that opens only some of them does nothing there. An agent that acts on itself is
 * an exception: for that, the scope `ofAgents` suffices.
 */
export function refusalOf(
  { actorType, limits }: CredentialHolder,
  scope: TokenScope,
  ofAgents: TokenScope | null = null,
): DomainError | null {
  if (actorType === 'agent' && ofAgents !== null) {
    return allows(limits, scope) || allows(limits, ofAgents) ? null : lacksScope(ofAgents)
  }
  if (!allows(limits, scope)) return lacksScope(scope)
  return scope === 'account' && limits.spaceIds !== null ? limitedToSpaces() : null
}

/** Throws unless a credential opens what has this scope. */
export function requireAllowed(holder: CredentialHolder, scope: TokenScope, ofAgents: TokenScope | null = null): void {
  const refusal = refusalOf(holder, scope, ofAgents)
  if (refusal) throw refusal
}

const limitedToSpaces = () =>
  forbidden(
    'A credential that is limited to some spaces can do nothing about actors, credentials or tenants; use one that ' +
      'opens every space',
  )

/** Whether a credential opens a space, if its actor may see that. */
export const opensSpace = ({ spaceIds }: CredentialLimits, spaceId: string): boolean =>
  spaceIds === null || spaceIds.includes(spaceId)

/** 404 for a space that a credential does not open, as for one that does not exist. */
export function requireSpaceOpened(limits: CredentialLimits, spaceId: string): void {
  if (!opensSpace(limits, spaceId)) throw unknown('Space')
}

/** Requested limits; undefined for those of the requesting credential. */
export interface RequestedLimits {
  readonly scopes?: readonly TokenScope[] | undefined
  readonly space_ids?: readonly string[] | undefined
  readonly expires_at?: Date | undefined
}

const requestsLimits = ({ scopes, space_ids, expires_at }: RequestedLimits): boolean =>
  scopes !== undefined || space_ids !== undefined || expires_at !== undefined

/**
 * Returns the limits of a new credential. 400 if it would already be expired, 403 if it would open more than the
 * requesting credential.
 */
export function limitsOf(
  requested: RequestedLimits,
  maker: CredentialLimits,
  now: Date,
  expiryField = 'expires_at',
): CredentialLimits {
  const limits = {
    scopes: requested.scopes ?? maker.scopes,
    spaceIds: requested.space_ids ?? maker.spaceIds,
    expiresAt: requested.expires_at ?? maker.expiresAt,
  }
  requireAhead(limits, now, expiryField)
  requireWithin(limits, maker)
  return limits
}

/** The human or agent that creates a key for an agent. */
export interface KeyMaker {
  readonly isAdmin: boolean
  readonly limits: CredentialLimits
  /** The most scopes that the tenant allows agents; null for no such rule. */
  readonly agentScopes: readonly TokenScope[] | null
}

/**
 * Returns the limits of the key of a new agent. Its scopes are the requested ones, or by default those of the tenant's
 * policy or `AGENT_SCOPES` that its maker has. 403 for more than the tenant allows, which only its admins may grant.
 */
export function limitsOfAgent(
  requested: RequestedLimits,
  maker: KeyMaker,
  now: Date,
  expiryField?: string,
): CredentialLimits {
  const scopes = requested.scopes ?? scopesOfAgents(maker)
  if (!maker.isAdmin && !isPartOf(scopes, maker.agentScopes)) {
    throw forbidden(`The tenant lets agents have only ${maker.agentScopes?.join(', ')}; an admin of it may give more`)
  }
  return limitsOf({ ...requested, scopes }, maker.limits, now, expiryField)
}

/** The default scopes of an agent: never nothing, as that would be a key that opens nothing. */
function scopesOfAgents({ limits, agentScopes }: KeyMaker): readonly TokenScope[] {
  const usual = agentScopes ?? AGENT_SCOPES
  const scopes = usual.filter((scope) => allows(limits, scope))
  if (scopes.length > 0) return scopes
  throw forbidden(`This credential allows none of what an agent gets by default (${usual.join(', ')}): name its scopes`)
}

/**
 * Returns the limits of a rotated key: the requested ones, or by default those of the current key. 400 for limits on the
 * key of a human, who could never remove them.
 */
export function limitsOfNewKey(
  { actorType }: ActorRef,
  current: CredentialLimits,
  requested: RequestedLimits,
  maker: KeyMaker,
  now: Date,
): CredentialLimits {
  if (requestsLimits(requested)) {
    if (actorType !== 'agent') throw invalid('actor_id', 'must be an agent: only the keys of agents can have limits')
    return limitsOfAgent(requested, maker, now)
  }
  requireAhead(current, now)
  requireWithin(current, maker.limits)
  return current
}

/** 400 if a credential with these limits would already be expired. */
function requireAhead({ expiresAt }: CredentialLimits, now: Date, field = 'expires_at'): void {
  if (expiresAt !== null && expiresAt <= now) throw invalid(field, 'must be in the future')
}

/** 403 if a credential would open more, or for longer, than the requesting one. */
export function requireWithin(limits: CredentialLimits, maker: CredentialLimits): void {
  if (!isWithin(limits, maker)) throw forbidden('A limited credential cannot create one with wider limits')
}

/** Whether some limits open no more, and for no longer, than others. */
export const isWithin = (limits: CredentialLimits, others: CredentialLimits): boolean =>
  isPartOf(limits.scopes, others.scopes) &&
  isPartOf(limits.spaceIds, others.spaceIds) &&
  (others.expiresAt === null || (limits.expiresAt !== null && limits.expiresAt <= others.expiresAt))

const isPartOf = (some: readonly string[] | null, all: readonly string[] | null) =>
  all === null || (some?.every((one) => all.includes(one)) ?? false)
