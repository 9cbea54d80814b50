import type { KeyMaker } from '@collab-spaces/domain'
import type { Caller } from './procedure/credential.js'
import type { Services } from './services.js'

/** Returns the caller as a maker of agents' keys, with the scopes that its tenant allows agents. */
export async function keyMaker({ database }: Services, { tenantId, isAdmin, limits }: Caller): Promise<KeyMaker> {
  const tenant = await database.tenants.find(tenantId)
  return { isAdmin, limits, agentScopes: tenant?.policy.agentScopes ?? null }
}
