import type { ActorType, AgentConnection, Stop, TenantId } from '@collab-spaces/domain'
import type { Actor } from '../generated/client.js'
import { stopIn } from './stop-columns.js'

/** A stored actor. `metadata` is JSON text. */
export interface ActorRecord {
  readonly actorId: string
  readonly actorType: ActorType
  readonly tenantId: TenantId
  readonly displayName: string
  readonly email: string | null
  readonly agentProfile: string | null
  /** What the actor does, in one line. */
  readonly title: string | null
  readonly timeZone: string | null
  /** The SHA-256 of its picture, in hexadecimal. */
  readonly picture: string | null
  readonly metadata: string | null
  readonly sponsorId: string | null
  readonly defaultSpaceId: string | null
  readonly createdAt: Date
  /** Null unless disabled by an admin or the operator. */
  readonly disabledAt: Date | null
  /** The admin; null for the operator. */
  readonly disabledBy: string | null
  readonly connection: AgentConnection | null
  /** The protocol of the connected agent, if declared. A release clears it. */
  readonly agentAdapter: string | null
  /** Null unless the agent is stopped. */
  readonly stopped: Stop | null
  /** The current tenant. */
  readonly isAdmin: boolean
  /** Whether it may read only the spaces that it was added to. */
  readonly isGuest: boolean
  /** Whether a guest may sponsor agents. */
  readonly maySponsor: boolean
}

/** Throws to reject a request about an actor, or by it. */
export type AllowActor = (actor: ActorRecord) => void

/** Selects actors that are not deleted. */
export const LIVE = { deletedAt: null }

export function actorRecord(row: Actor): ActorRecord {
  return {
    actorId: row.actorId,
    actorType: row.actorType as ActorType,
    tenantId: row.tenantId as TenantId,
    displayName: row.displayName,
    email: row.email,
    agentProfile: row.agentProfile,
    title: row.title,
    timeZone: row.timeZone,
    picture: row.picture && Buffer.from(row.picture).toString('hex'),
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
