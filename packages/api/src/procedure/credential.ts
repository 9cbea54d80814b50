import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type Bearer, type Database, databaseClock, type Principal } from '@collab-spaces/db'
import {
  type AccessToken,
  DEFAULT_TENANT,
  humanOf,
  isApiKey,
  isPersonalAccessToken,
  opensSpace,
  type Resource,
  readAccessToken,
  type TokenScope,
} from '@collab-spaces/domain'
import type { FairKey } from '@collab-spaces/fair'
import { isStreamTicket, type StreamTickets } from './stream-ticket.js'

/** The authenticated actor of a request, with its credential and address. */
export type Caller = Principal & Bearer

/** Unauthenticated callers share a turn of the default tenant. */
const STRANGERS: FairKey = [DEFAULT_TENANT, 'strangers']

/** Returns the fairness key of a caller: a human and its agents share one. */
export const fairKeyOf = (caller: Caller | null): FairKey =>
  caller ? [caller.tenantId, humanOf(caller), `${caller.actorId}/${caller.credentialId}`] : STRANGERS

/** Hashes a credential, which is stored in no other form. */
export const hashOf = (credential: string): Buffer => hash('sha256', credential, 'buffer')

/** Malformed credentials are not looked up. */
const isCredential = (token: string) => isApiKey(token) || isPersonalAccessToken(token, crc32)

interface CredentialContext {
  readonly services: {
    readonly database: Pick<Database, 'credentials'>
    readonly streamTickets: StreamTickets | null
  }
  readonly token: string | undefined
  readonly resource?: Resource
  address(): string | null
}

/** Returns the actor that a credential currently belongs to, or null. */
export async function authenticate(presented: CredentialContext): Promise<Caller | null> {
  const { services, token, address } = presented
  if (token === undefined) return null
  if (isStreamTicket(token)) return holderOf(token, presented)
  const accessToken = readAccessToken(token)
  if (accessToken) return holderOfGrant(token, accessToken, presented)
  if (!isCredential(token)) return null
  const credentialHash = hashOf(token)
  const principal = await services.database.credentials.lookUp(credentialHash)
  // A spread would cost each request a hidden class on Node 20 (`docs/performance.md`).
  return principal && Object.assign(principal, { credentialHash, address })
}

/** Returns the grant of an access token, at its resource and until it expires. */
async function holderOfGrant(
  token: string,
  { resource, expiresAt }: AccessToken,
  { services, address, resource: asked = 'api' }: CredentialContext,
): Promise<Caller | null> {
  if (resource !== asked) return null
  const credentialHash = hashOf(token)
  const principal = await services.database.credentials.lookUp(credentialHash)
  if (!principal) return null
  const isExpired = principal.isExpired || expiresAt <= databaseClock.now()
  return Object.assign(principal, { isExpired, credentialHash, address })
}

const ONLY_READ: readonly TokenScope[] = ['read']

/** Returns the credential of a stream ticket, with its limits narrowed to reading one space. */
async function holderOf(token: string, { services, address }: CredentialContext): Promise<Caller | null> {
  const ticket = services.streamTickets?.read(token)
  if (!ticket) return null
  const { credentialHash, spaceId, expiresAt } = ticket
  const principal = await services.database.credentials.lookUp(credentialHash)
  if (!principal || !opensSpace(principal.limits, spaceId)) return null
  return Object.assign(principal, {
    limits: { scopes: ONLY_READ, spaceIds: [spaceId], expiresAt },
    isExpired: principal.isExpired || expiresAt <= databaseClock.now(),
    credentialHash,
    address,
  })
}
