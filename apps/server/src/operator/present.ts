import { presentSelf } from '@collab-spaces/api'
import type { ActorRecord } from '@collab-spaces/db'

/** An actor as the operator sees it: what everybody may see, and what only the service knows. */
export const presentForOperator = (actor: ActorRecord) => ({
  ...presentSelf(actor),
  is_admin: actor.isAdmin,
  disabled_at: actor.disabledAt?.toISOString() ?? null,
  installation_id: actor.connection?.installationId ?? null,
  connected_at: actor.connection?.connectedAt.toISOString() ?? null,
})
