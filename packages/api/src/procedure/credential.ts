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
import type { Payer } from '@collab-spaces/fair'
import { isStreamTicket, type StreamTickets } from './stream-ticket.js'

/** The authenticated actor of a request, and what it came with. */
export type Caller = Principal & Bearer

/** Strangers take turns with the scope that they come into. */
const STRANGERS: Payer = [DEFAULT_TENANT, 'strangers']

/** The payer of what a caller asks for: a human pays for its agents, too. */
export const payerOf = (caller: Caller | null): Payer =>
  caller ? [caller.tenantId, humanOf(caller), `${caller.actorId}/${caller.credentialId}`] : STRANGERS

/** The only form in which a credential is stored. */
export const hashOf = (credential: string): Buffer => hash('sha256', credential, 'buffer')

/** Malformed credentials are not looked up. */
const isCredential = (token: string) => isApiKey(token) || isPersonalAccessToken(token, crc32)

interface Presented {
  readonly services: {
    readonly database: Pick<Database, 'credentials'>
    readonly streamTickets: StreamTickets | null
  }
  readonly token: string | undefined
  readonly resource?: Resource
  address(): string | null
}

/** The actor that a credential currently belongs to, or null. */
export async function authenticate(presented: Presented): Promise<Caller | null> {
  const { services, token, address } = presented
  if (token === undefined) return null
  if (isStreamTicket(token)) return holderOf(token, presented)
  const accessToken = readAccessToken(token)
  if (accessToken) return holderOfGrant(token, accessToken, presented)
  if (!isCredential(token)) return null
  const credentialHash = hashOf(token)
  const principal = await services.database.credentials.lookUp(credentialHash)
  // Added to what is new anyway. A spread would cost each request a hidden class on Node 20 (`docs/performance.md`).
  return principal && Object.assign(principal, { credentialHash, address })
}

/** The grant behind an access token: at the resource that it is for, until it is over. */
async function holderOfGrant(
  token: string,
  { resource, expiresAt }: AccessToken,
  { services, address, resource: asked = 'api' }: Presented,
): Promise<Caller | null> {
  if (resource !== asked) return null
  const credentialHash = hashOf(token)
  const principal = await services.database.credentials.lookUp(credentialHash)
  if (!principal) return null
  const isExpired = principal.isExpired || expiresAt <= databaseClock.now()
  return Object.assign(principal, { isExpired, credentialHash, address })
}

const ONLY_READ: readonly TokenScope[] = ['read']

/** The credential that a ticket for a stream stands for, with what is left of its limits. */
async function holderOf(token: string, { services, address }: Presented): Promise<Caller | null> {
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
