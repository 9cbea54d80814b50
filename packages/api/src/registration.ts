import { randomBytes } from 'node:crypto'
import { type ActorRecord, databaseClock, type NewActor } from '@collab-spaces/db'
import {
  apiKey,
  type CredentialLimits,
  DEFAULT_TENANT,
  type Initiator,
  limitsOfAgent,
  NO_LIMITS,
  prefixedId,
  RATES,
  requireOpenRegistration,
  requireOwnPage,
  requireRedeemable,
} from '@collab-spaces/domain'
import type { z } from 'zod'
import { keyMaker } from './grant.js'
import type { Context } from './procedure/context.js'
import { type Caller, hashOf } from './procedure/credential.js'
import { requireSpaces } from './require-space.js'
import type { RegisterActor } from './schemas/actor.js'
import type { Services } from './services.js'

/** A new actor, and the plaintext of its key, which is not stored. */
interface RegisteredActor {
  readonly actor: ActorRecord
  readonly key: string
  /** The limits of the key. */
  readonly limits: CredentialLimits
}

type Registration = z.output<typeof RegisterActor>

/** Registers an agent in its sponsor's tenant. 401 if the sponsor's credential has ended in the meantime. */
export async function registerAgent(
  services: Services,
  sponsor: Caller,
  input: Registration,
): Promise<RegisteredActor> {
  const { database, quotas } = services
  await requireSpaces(services, sponsor, input.space_ids)
  const { key, fields } = newActor(input)
  const limits = limitsOfAgent(input, await keyMaker(services, sponsor), fields.createdAt)
  const agent = { ...fields, limits, actorId: prefixedId('agt', randomBytes), actorType: 'agent' as const, email: null }
  return { actor: await database.actors.registerAgent(sponsor, agent, quotas.of), key, limits }
}

/**
 * Registers a human: in the shared default tenant if registration is open (otherwise 403), or by an invite's code in its
 * tenant (404 if the code cannot be redeemed). 429 after too many registrations from one address.
 */
export async function registerHuman(
  { services, address, isForeignPage }: Pick<Context, 'services' | 'address' | 'isForeignPage'>,
  input: Registration,
): Promise<RegisteredActor> {
  if (input.code === undefined) {
    requireOpenRegistration(services.registration)
    requireOwnPage(isForeignPage())
  }
  const { key, fields } = newActor(input)
  const human = {
    ...fields,
    actorId: prefixedId('usr', randomBytes),
    actorType: 'human' as const,
    email: input.email ?? null,
  }
  await countRegistration(services, address(), human.createdAt)
  const by = { actorId: human.actorId, credentialId: null, address }
  const actor = await (input.code === undefined
    ? services.database.actors.registerHuman(DEFAULT_TENANT, by, human)
    : registerInvited(services, by, human, input.code))
  return { actor, key, limits: NO_LIMITS }
}

const registerInvited = ({ database }: Services, by: Initiator, human: NewActor, code: string): Promise<ActorRecord> =>
  database.invites.register(by, human, hashOf(code), human.createdAt, (invite, email) =>
    requireRedeemable(invite, email, human.createdAt),
  )

/** The fields of actors of both types. */
function newActor({ display_name, agent_profile, metadata }: Registration) {
  const key = apiKey(randomBytes)
  const fields = {
    displayName: display_name,
    agentProfile: agent_profile ?? null,
    metadata: metadata === undefined ? null : JSON.stringify(metadata),
    keyHash: hashOf(key),
    createdAt: databaseClock.now(),
  }
  return { key, fields }
}

/** Counts a registration from an address across all instances. 429 beyond the limit. */
async function countRegistration(
  { database, registrationLimit }: Services,
  address: string | null,
  now: Date,
): Promise<void> {
  if (address === null || registrationLimit === 0) return
  await database.rateCounts.take([{ rate: RATES.registrations, subject: address, limit: registrationLimit }], now)
}
