import { randomBytes } from 'node:crypto'
import { databaseClock } from '@collab-spaces/db'
import {
  checkJson,
  diskFull,
  humanOf,
  type KeyMaker,
  limitsOf,
  limitsOfAgent,
  requireAllowed,
  requireCanGrantAs,
  requireHuman,
} from '@collab-spaces/domain'
import { type Caller, fairKeyOf } from './procedure/credential.js'
import { requireSpaces } from './require-space.js'
import { GiveGrant } from './schemas/credential.js'
import type { Services } from './services.js'

/** A program that receives a grant. */
export interface GrantedClient {
  /** The ID of the new grant. */
  readonly patId: string
  /** The name that people see in the list of their credentials. */
  readonly name: string
  /** The id of the program in requests. */
  readonly clientId: string
}

/**
 * Grants a program access as the caller or one of its agents, within limits and with the same refusals as a new token.
 * The grant has no access token yet.
 */
export async function giveGrant(
  services: Services,
  caller: Caller,
  { patId, name, clientId }: GrantedClient,
  body: unknown,
): Promise<void> {
  const { database, gate, limits, quotas } = services
  requireHuman(caller)
  requireAllowed(caller, 'account')
  limits.writes?.take(humanOf(caller))
  if (services.isDiskLow()) throw diskFull()
  checkJson(body)
  const { actor_id, ...asked } = GiveGrant.parse(body)
  await gate.run('change', { fairKey: fairKeyOf(caller), address: caller.address }, async () => {
    await requireSpaces(services, caller, asked.space_ids)
    const now = databaseClock.now()
    const isOwn = actor_id === caller.actorId
    const fields = {
      patId,
      name,
      client: clientId,
      actorId: actor_id,
      // Matches no token until the program has fetched one.
      tokenHash: randomBytes(32),
      tokenPrefix: 'svc_',
      createdAt: now,
      limits: isOwn ? limitsOf(asked, caller.limits, now) : limitsOfAgent(asked, await keyMaker(services, caller), now),
    }
    await database.grants.create(caller, fields, quotas.of, (actor) => requireCanGrantAs(caller, actor))
  })
}

/** Returns the caller as a maker of agents' keys, with the scopes that its tenant allows agents. */
export async function keyMaker({ database }: Services, { tenantId, isAdmin, limits }: Caller): Promise<KeyMaker> {
  const tenant = await database.tenants.find(tenantId)
  return { isAdmin, limits, agentScopes: tenant?.policy.agentScopes ?? null }
}
