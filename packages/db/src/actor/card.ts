import type { ActorType, Stop, TenantId, Viewer } from '@collab-spaces/domain'
import { isPresent } from '../access/presence.js'
import { type StopColumns, stopIn } from '../access/stop-columns.js'
import type { StoreContext } from '../connection/store-context.js'

/** An actor from the view of its colleagues. */
export interface ActorCard {
  readonly actorId: string
  readonly tenantId: TenantId
  readonly displayName: string
  readonly actorType: ActorType
  readonly sponsorId: string | null
  readonly sponsorName: string | null
  readonly agentProfile: string | null
  readonly title: string | null
  readonly timeZone: string | null
  /** The SHA-256 of its picture, in hexadecimal. */
  readonly picture: string | null
  readonly isAdmin: boolean
  readonly isDisabled: boolean
  readonly agentAdapter: string | null
  readonly connectedAt: Date | null
  readonly createdAt: Date
  /** The last use of one of its credentials, to the minute; null for never. */
  readonly lastSeenAt: Date | null
  readonly stopped: Stop | null
  /** The spaces joined by both, by id, up to a limit. */
  readonly commonSpaces: readonly string[]
  /** Whether it is a human whose presence the viewer, who shares a space with it, sees now. */
  readonly isPresent: boolean
}

const MAX_SHARED_SPACES = 100

const CARD = {
  name: 'actor_card',
  text: `
    SELECT a.actor_id AS "actorId", a.tenant_id AS "tenantId", a.display_name AS "displayName", a.actor_type AS "actorType",
      a.sponsor_id AS "sponsorId", s.display_name AS "sponsorName", a.agent_profile AS "agentProfile",
      a.title, a.time_zone AS "timeZone", encode(a.picture, 'hex') AS picture,
      a.is_admin AS "isAdmin", a.disabled_at IS NOT NULL AS "isDisabled", a.agent_adapter AS "agentAdapter",
      a.connected_at AS "connectedAt", a.created_at AS "createdAt", a.last_seen_at AS "lastSeenAt", a.stopped_at AS "stoppedAt",
      a.stopped_by AS "stoppedBy", a.stop_reason AS "stopReason",
      ARRAY(
        SELECT p.space_id FROM participants p JOIN participants o USING (tenant_id, space_id)
        WHERE p.tenant_id = $1 AND p.actor_id = $2 AND o.actor_id = $3 AND ($4::text[] IS NULL OR p.space_id = ANY($4))
        ORDER BY p.space_id LIMIT ${MAX_SHARED_SPACES}
      ) AS "commonSpaces",
      ${isPresent({ tenant: '$1', actor: '$2' })} AS "isPresent"
    FROM actors a LEFT JOIN actors s ON s.actor_id = a.sponsor_id AND s.tenant_id = a.tenant_id
    WHERE a.tenant_id = $1 AND a.actor_id = $2 AND a.deleted_at IS NULL`,
}

/** Finds an actor of the viewer's tenant; null for an unknown one. */
export const actorCards =
  ({ requests }: StoreContext) =>
  async (viewer: Viewer, actorId: string): Promise<ActorCard | null> => {
    const { rows } = await requests.query<Omit<ActorCard, 'stopped'> & StopColumns>({
      ...CARD,
      values: [viewer.tenantId, actorId, viewer.actorId, viewer.limits.spaceIds],
    })
    const [row] = rows
    return row ? { ...row, stopped: stopIn(row), isPresent: row.isPresent && row.commonSpaces.length > 0 } : null
  }
