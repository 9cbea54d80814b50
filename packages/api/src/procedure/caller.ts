import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Credentials, Principal } from '@collab-spaces/db'
import {
  isApiKey,
  isJsonObject,
  isPersonalAccessToken,
  requireActiveTenant,
  requireAdmin,
  requireHuman,
  unauthenticated,
} from '@collab-spaces/domain'
import type { Call } from './context.js'

/** The authenticated actor of a request, and the hash of the credential it sent. */
export interface Caller extends Principal {
  readonly credentialHash: Buffer
}

/** Only this is ever stored of a credential. */
export const hashOf = (credential: string): Buffer => createHash('sha256').update(credential).digest()

/** What has not even the form of a credential is not looked up. */
const isCredential = (token: string) => isApiKey(token) || isPersonalAccessToken(token, crc32)

/** The actor that a credential stands for at this moment, or null. */
async function authenticate(credentials: Credentials, token: string | undefined): Promise<Caller | null> {
  if (token === undefined || !isCredential(token)) return null
  const credentialHash = hashOf(token)
  const principal = await credentials.lookUp(credentialHash)
  return principal && { ...principal, credentialHash }
}

async function actor({ ctx: { services, token } }: Call): Promise<Caller> {
  const caller = await authenticate(services.database.credentials, token)
  if (!caller) throw unauthenticated()
  requireActiveTenant(caller.tenantStatus)
  return caller
}

async function human(call: Call): Promise<Caller> {
  const caller = await actor(call)
  requireHuman(caller)
  return caller
}

async function admin(call: Call): Promise<Caller> {
  const caller = await human(call)
  requireAdmin(caller)
  return caller
}

/** A human needs no credential to register, and one that is sent is ignored; an agent is registered by its sponsor. */
async function registrant(call: Call): Promise<Caller | null> {
  const input = await call.getRawInput()
  const isAgent = isJsonObject(input) && input.actor_type === 'agent'
  return isAgent ? human(call) : null
}

/**
 * Who may call a procedure. Each rule finds the caller, or throws what refuses it: 401 without a valid credential,
 * 403 for a suspended tenant and then for the wrong kind of caller.
 */
export const CALLER_RULES = { actor, human, admin, registrant }

export type CallerRule = keyof typeof CALLER_RULES

/** What a procedure with this rule knows of its caller. */
export type CallerOf<Rule extends CallerRule> = Awaited<ReturnType<(typeof CALLER_RULES)[Rule]>>
