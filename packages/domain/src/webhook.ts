import { type ActorRef, canOperate, type Member, type TenantActor } from './actor.js'
import { type CredentialLimits, isWithin, opensSpace } from './credential.js'
import { conflict, forbidden, invalid, unknown } from './errors.js'
import { MalformedValue, storedStrings } from './json.js'
import { LIMITS } from './limits.js'
import { type Random, randomHex } from './random.js'
import { DEFAULT_TENANT, type TenantId } from './tenant-id.js'

/** The types that a webhook of a space can be sent. */
const SPACE_WEBHOOK_TYPES = ['events.appended', 'decision.changed'] as const
/** The types that a webhook of an inbox can be sent. */
const INBOX_WEBHOOK_TYPES = ['attention.raised'] as const
/** The types that a webhook can ask for. */
export const WEBHOOK_TYPES = [...SPACE_WEBHOOK_TYPES, ...INBOX_WEBHOOK_TYPES] as const
export type WebhookType = (typeof WEBHOOK_TYPES)[number]

/** The type of each request, the challenge and the test request included. */
export const WEBHOOK_MESSAGE_TYPES = [...WEBHOOK_TYPES, 'webhook.challenge', 'webhook.test'] as const
export type WebhookMessageType = (typeof WEBHOOK_MESSAGE_TYPES)[number]

/** Whether requests have ids only, or all that happened. */
export const WEBHOOK_PAYLOADS = ['thin', 'full'] as const
export type WebhookPayload = (typeof WEBHOOK_PAYLOADS)[number]

/**
 * Why a webhook no longer sends: it was disabled, the receiver answered 410, it failed for too long, its owner left the
 * tenant, or the credential that made it was revoked.
 */
export const WEBHOOK_ENDS = ['disabled', 'gone', 'failing', 'owner_left', 'credential_revoked'] as const
export type WebhookEnd = (typeof WEBHOOK_ENDS)[number]

/** The fields of a webhook that rules depend on. */
export interface OwnedWebhook {
  readonly tenantId: TenantId
  readonly ownerId: string
  /** The sponsor of its owner, if that is an agent. */
  readonly ownerSponsorId: string | null
  readonly spaceId: string | null
  /** Of the credential with which it was made. */
  readonly limits: Pick<CredentialLimits, 'spaceIds' | 'expiresAt'>
}

/** A caller with the limits of its credential. */
type LimitedMember = Member & { readonly limits: CredentialLimits }

/** Whether a caller may see all of its URL, parts of which may be secret. Admins see where it leads, and no more. */
export const canChangeWebhook = ({ actorId }: ActorRef, { ownerId, ownerSponsorId }: OwnedWebhook): boolean =>
  ownerId === actorId || ownerSponsorId === actorId

/** 404 for callers who may not see the webhook, 403 for those who may see it, and no more. */
export function requireCanChangeWebhook(caller: LimitedMember, webhook: OwnedWebhook): void {
  requireCanSeeWebhook(caller, webhook)
  if (!canChangeWebhook(caller, webhook)) throw forbidden('Only the owner of the webhook or its sponsor may do this')
  if (isNoWider(webhook, caller.limits)) return
  throw forbidden('A limited credential cannot change a webhook with wider limits')
}

/** Callers who see a webhook may delete it, but not with a credential that opens less than the webhook does. */
export function requireCanDeleteWebhook(caller: LimitedMember, webhook: OwnedWebhook): void {
  requireCanSeeWebhook(caller, webhook)
  if (isNoWider(webhook, caller.limits)) return
  throw forbidden('A limited credential cannot delete a webhook with wider limits')
}

const isNoWider = (webhook: OwnedWebhook, limits: CredentialLimits) =>
  isWithin({ ...webhook.limits, scopes: null }, { ...limits, scopes: null })

/** For its owner, the sponsor of its owner, and admins of its tenant. */
export function requireCanSeeWebhook(caller: LimitedMember, webhook: OwnedWebhook): void {
  const { tenantId, spaceId } = webhook
  const isOpen = caller.tenantId === tenantId && (spaceId === null || opensSpace(caller.limits, spaceId))
  if (!isOpen || !(canChangeWebhook(caller, webhook) || caller.isAdmin)) throw unknown('Webhook')
}

/** The inbox that a webhook may be for: one's own, or that of an agent that one sponsors. */
export function requireCanHearInbox(caller: TenantActor, actor: TenantActor): void {
  if (!canOperate(caller, actor) || actor.tenantId !== caller.tenantId) {
    throw forbidden('The inbox of a webhook must be your own, or that of an agent you sponsor')
  }
}

/** The requested subject of a webhook. */
export interface RequestedWebhook {
  readonly space_id?: string | undefined
  readonly inbox_of?: string | undefined
  readonly types?: readonly WebhookType[] | undefined
}

/** The subject of a webhook: one space, or one inbox. 403 for an agent that asks for more than its own inbox. */
export function requireTarget(caller: ActorRef, { space_id, inbox_of }: RequestedWebhook): void {
  if (space_id !== undefined && inbox_of !== undefined) {
    throw invalid('inbox_of', 'cannot be given together with space_id')
  }
  if (space_id === undefined && inbox_of === undefined) {
    throw invalid('space_id', 'is required unless inbox_of is given')
  }
  if (caller.actorType === 'agent' && inbox_of !== caller.actorId) {
    throw forbidden('An agent can create webhooks only for its own inbox')
  }
}

/** The types of a webhook: by default, all that there are for what it is about. */
export function typesOf(isOfSpace: boolean, types: readonly WebhookType[] | undefined): WebhookType[] {
  const possible: readonly WebhookType[] = isOfSpace ? SPACE_WEBHOOK_TYPES : INBOX_WEBHOOK_TYPES
  const wrong = types?.find((type) => !possible.includes(type))
  if (wrong !== undefined) {
    throw invalid('types', `a webhook for ${isOfSpace ? 'a space' : 'an inbox'} has only ${possible.join(', ')}`)
  }
  return possible.filter((type) => types?.includes(type) ?? true)
}

/** How many webhooks there are already. */
export interface WebhookCounts {
  readonly ofOwner: number
  readonly ofTenant: number
  /** For the same space; 0 for that of an inbox. */
  readonly ofSpace: number
}

/** The shared tenant has no limit of its own; a space has one because each event wakes all its webhooks. */
export function requireWebhookLeft(tenantId: TenantId, { ofOwner, ofTenant, ofSpace }: WebhookCounts): void {
  if (ofOwner >= LIMITS.webhooks)
    throw conflict(`An actor can have at most ${LIMITS.webhooks} webhooks: delete one first`)
  if (tenantId !== DEFAULT_TENANT && ofTenant >= LIMITS.tenantWebhooks) {
    throw conflict(`A tenant can have at most ${LIMITS.tenantWebhooks} webhooks: delete one first`)
  }
  if (ofSpace >= LIMITS.spaceWebhooks) {
    throw conflict(`A space can have at most ${LIMITS.spaceWebhooks} webhooks: delete one first`)
  }
}

/** A webhook is sent to a URL over TLS, or to this machine without. 400 for any other, and for one with a password. */
export const webhookUrl = (text: string): URL => sendableUrl('url', text)

/** A URL that requests can be sent to, as webhooks are. 400 with the field for any other text. */
export function sendableUrl(field: string, text: string): URL {
  if (!URL.canParse(text)) throw invalid(field, 'must be a URL such as https://example.org/hook')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw invalid(field, 'must not have a user name or password in it')
  if (url.hash !== '') throw invalid(field, 'must not have a fragment (#)')
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLocalName(url.hostname))) return url
  throw invalid(field, 'must begin with https://; plain http is for loopback addresses only')
}

/** The challenge that a receiver has to give back before anything else is sent to it. */
export const webhookChallenge = (random: Random) => randomHex(random, 24)

/**
 * Returns whether a response echoes the challenge, alone or as `{"challenge": "…"}`. This proves that the receiver wants the
 * requests, as any caller could name its URL.
 */
export function echoesChallenge(answer: string, challenge: string): boolean {
  const text = answer.trim()
  if (text === challenge) return true
  try {
    const value: unknown = JSON.parse(text)
    return value === challenge || (value as { challenge?: unknown } | null)?.challenge === challenge
  } catch {
    return false
  }
}

const WILDCARD = '*.'

/**
 * Returns the hosts that a tenant allows for webhooks, as URLs spell them, each once: names, addresses, and `*.example.org`
 * for all names below one. 400 for anything else, and for a port.
 */
export function webhookHosts(given: readonly string[]): string[] {
  return [...new Set(given.map((host, index) => hostPattern(host) ?? refuseHost(index)))]
}

/** Reads the allowed hosts of a tenant as they are stored. Throws a `MalformedValue`. */
export function storedHosts(stored: unknown): string[] {
  const hosts = storedStrings(stored)
  if (hosts.every((host) => hostPattern(host) === host)) return hosts
  throw new MalformedValue('must be a list of hosts')
}

/** Returns a host, or a wildcard for all names below one, as URLs spell it; null for anything else, and for a port. */
export function hostPattern(text: string): string | null {
  const host = text.trim()
  const name = host.startsWith(WILDCARD) ? host.slice(WILDCARD.length) : host
  if (!/^(?:[^\s/\\?#@:*[\]]+|\[[0-9a-f:.]+\])$/i.test(name) || !URL.canParse(`https://${name}`)) return null
  const { hostname } = new URL(`https://${name}`)
  return `${host.startsWith(WILDCARD) ? WILDCARD : ''}${hostname.replace(/\.$/, '')}`
}

function refuseHost(index: number): never {
  throw invalid(`webhook_hosts.${index}`, 'must be a host such as hooks.example.org or *.example.org, without a port')
}

/** Whether a URL leads to one of the hosts that are allowed; null allows any. */
export function isAllowedHost(hosts: readonly string[] | null, { hostname }: URL): boolean {
  const name = hostname.replace(/\.$/, '')
  return hosts?.some((host) => (host.startsWith(WILDCARD) ? name.endsWith(host.slice(1)) : name === host)) ?? true
}

/** 400 with the field if its URL leads to a host that the policy of the tenant does not allow. */
export function requireAllowedHost(hosts: readonly string[] | null, url: URL, field = 'url'): void {
  if (isAllowedHost(hosts, url)) return
  throw invalid(field, 'leads to a host that the tenant does not send to: see webhook_hosts in its policy')
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|(?:.+\.)?localhost)\.?$/

/** Names that never lead to another machine (RFC 6761), and addresses that don't. */
const isLocalName = (hostname: string) => LOOPBACK.test(hostname)

/** Returns a URL without its path and query, which may be secret. */
export function withoutSecrets(text: string): string {
  const { origin } = new URL(text)
  return `${origin}/…`
}

const SECOND_MS = 1_000
const DAY_MS = 86_400_000
const FIRST_RETRY_MS = 5 * SECOND_MS
const LAST_RETRY_MS = DAY_MS
/** A webhook is disabled after this long without a success. */
const MAX_FAILURE_MS = 3 * DAY_MS
/** How long the previous secret also signs after a rotation. */
const WEBHOOK_OVERLAP_MS = DAY_MS

/** A failure, as far as it is known. */
export interface DeliveryFailure {
  /** How many there were in a row, with this one. */
  readonly failures: number
  readonly failingSince: Date
  /** How long the receiver wants to be left alone, if it says so. */
  readonly retryAfterMs: number | null
}

/**
 * When to try again: after 5 seconds, then twice as long each time, up to a day, and a quarter more or less, so that not
 * all come at once; not before the receiver wants it. Null if it has failed for too long. There is always a last attempt
 * at that time.
 */
export function nextAttempt(
  { failures, failingSince, retryAfterMs }: DeliveryFailure,
  now: Date,
  random: number,
): Date | null {
  const end = failingSince.getTime() + MAX_FAILURE_MS
  if (now.getTime() >= end) return null
  const doubled = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS)
  const jittered = Math.min(doubled * (0.75 + random / 2), LAST_RETRY_MS)
  const requestedDelay = Math.min(retryAfterMs ?? 0, LAST_RETRY_MS)
  return new Date(Math.min(now.getTime() + Math.max(jittered, requestedDelay), end))
}

/** Parses a `Retry-After` header: seconds, or a date. Null for anything else. */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}

/** The generations of the secret that sign now: the newest first. */
export function signingGenerations(
  { generation, rotatedAt }: { readonly generation: number; readonly rotatedAt: Date | null },
  now: Date,
): number[] {
  const isOverlap = rotatedAt !== null && now.getTime() - rotatedAt.getTime() < WEBHOOK_OVERLAP_MS
  return isOverlap ? [generation, generation - 1] : [generation]
}
