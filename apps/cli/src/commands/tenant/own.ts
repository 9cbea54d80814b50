import type { Client } from '@collab-spaces/client'

/** The tenant of the caller; null for the shared scope. */
export const ownTenantId = async (client: Client): Promise<string | null> => (await client.actor.me.query()).tenant_id
