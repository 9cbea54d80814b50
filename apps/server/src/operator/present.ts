import { presentSelf } from '@collab-spaces/api'
import type { ActorRecord } from '@collab-spaces/db'

/** Presents an actor for the operator, internal fields included. */
export const presentForOperator = (actor: ActorRecord) => ({
  ...presentSelf(actor),
  is_admin: actor.isAdmin,
  disabled_at: actor.disabledAt?.toISOString() ?? null,
  installation_id: actor.connection?.installationId ?? null,
  connected_at: actor.connection?.connectedAt.toISOString() ?? null,
})
