import type { KeyMaker } from '@collab-spaces/domain'
import type { Caller } from './procedure/credential.js'
import type { Services } from './services.js'

/** The caller as one who gives keys to agents: with what its tenant lets them have. */
export async function keyMaker({ database }: Services, { tenantId, isAdmin, limits }: Caller): Promise<KeyMaker> {
  const tenant = await database.tenants.find(tenantId)
  return { isAdmin, limits, agentScopes: tenant?.policy.agentScopes ?? null }
}
