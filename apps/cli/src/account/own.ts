import type { Client } from '@collab-spaces/client'
import { failed } from '../failure.js'

/** The tenant of the caller; null for the shared tenant. */
export const ownTenantId = async (client: Client): Promise<string | null> => (await client.actor.me.query()).tenant_id

export async function requireOwnTenantId(client: Client): Promise<string> {
  const tenantId = await ownTenantId(client)
  if (tenantId === null)
    throw failed(
      'You are in no tenant',
      'Create one: spaces tenant create NAME. Have an invite? Run: spaces invite redeem',
    )
  return tenantId
}
