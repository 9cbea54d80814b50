import type { ActorType, AgentConnection, Stop, TenantId } from '@collab-spaces/domain'
import type { Actor } from '../generated/client.js'
import { stopIn } from './stop-columns.js'

/** An actor as it is stored. `metadata` is JSON text. */
export interface ActorRecord {
  readonly actorId: string
  readonly actorType: ActorType
  readonly tenantId: TenantId
  readonly displayName: string
  readonly email: string | null
  readonly agentProfile: string | null
  readonly metadata: string | null
  readonly sponsorId: string | null
  readonly defaultSpaceId: string | null
  readonly createdAt: Date
  /** Null unless an admin or the operator has disabled it. */
  readonly disabledAt: Date | null
  /** The admin; null for the operator. */
  readonly disabledBy: string | null
  readonly connection: AgentConnection | null
  /** The protocol by which the agent is connected, if it said so. Releasing the agent clears it. */
  readonly agentAdapter: string | null
  /** Null unless it is a stopped agent. */
  readonly stopped: Stop | null
  /** Of its current tenant. */
  readonly isAdmin: boolean
  /** Whether it sees only the spaces that it was added to. */
  readonly isGuest: boolean
  /** Whether it may sponsor agents though it is a guest. */
  readonly maySponsor: boolean
}

/** Throws to refuse what is asked about an actor, or by it. */
export type AllowActor = (actor: ActorRecord) => void

/** The actors that are not deleted. */
export const LIVE = { deletedAt: null }

export function actorRecord(row: Actor): ActorRecord {
  return {
    actorId: row.actorId,
    actorType: row.actorType as ActorType,
    tenantId: row.tenantId as TenantId,
    displayName: row.displayName,
    email: row.email,
    agentProfile: row.agentProfile,
    metadata: row.metadata,
    sponsorId: row.sponsorId,
    defaultSpaceId: row.defaultSpaceId,
    createdAt: row.createdAt,
    disabledAt: row.disabledAt,
    disabledBy: row.disabledBy,
    isAdmin: row.isAdmin,
    isGuest: row.isGuest,
    maySponsor: row.maySponsor,
    agentAdapter: row.agentAdapter,
    stopped: stopIn(row),
    connection:
      row.installationId !== null && row.connectedAt !== null
        ? { installationId: row.installationId, connectedAt: row.connectedAt }
        : null,
  }
}
