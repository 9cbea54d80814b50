import {
  agentStopped,
  requireActiveTenant,
  type TenantId,
  type TenantLocation,
  unauthenticated,
  unknown,
} from '@collab-spaces/domain'
import { columnsOf } from '../connection/columns.js'
import type { Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import { type Actor, Prisma } from '../generated/client.js'
import { type ActorRecord, actorRecord } from './record.js'

/** Locks the actor of a change and the caller. 404 for an unknown actor. */
export async function lockFor(tx: Transaction, by: Bearer | null, actorId: string): Promise<ActorRecord> {
  // A sponsor is locked before its agents, as in its deletion.
  const bearer = by && (await lockBearer(tx, by))
  const actor = bearer?.actorId === actorId ? bearer : await lockActor(tx, actorId)
  if (!actor) throw unknown('Actor')
  return actor
}

const COLUMNS = columnsOf(Prisma.ActorScalarFieldEnum)

/** Locks an actor that is not deleted until the end of the transaction. */
export async function lockActor(tx: Transaction, actorId: string): Promise<ActorRecord | null> {
  const [row] = await tx.$queryRaw<Actor[]>`
    SELECT ${COLUMNS} FROM actors WHERE actor_id = ${actorId} AND deleted_at IS NULL FOR NO KEY UPDATE`
  return row ? actorRecord(row) : null
}

/**
 * Locks the actor and the tenant of a caller that creates something lasting, and checks the credential again. Anything that
 * ends a credential takes one of these locks. So nothing is created after the commit of a rotation, a revocation, a
 * deletion, a disabling, an expiry, a move to another tenant (401), a suspension, a stop (403) or a move of the tenant
 * (503, 421).
 */
export async function lockBearer(tx: Transaction, { actorId, tenantId, credentialHash }: Bearer): Promise<ActorRecord> {
  const actor = await lockActor(tx, actorId)
  const hash = new Uint8Array(credentialHash)
  const [tenant] = await tx.$queryRaw<TenantLocation[]>`
    SELECT t.status AS "tenantStatus", t.location AS "tenantLocation" FROM tenants t
    WHERE t.tenant_id = ${tenantId}::uuid AND (
      EXISTS (
        SELECT FROM api_keys
        WHERE key_hash = ${hash} AND actor_id = ${actorId} AND coalesce(expires_at > clock_timestamp(), true)
      )
      OR EXISTS (
        SELECT FROM personal_access_tokens
        WHERE token_hash = ${hash} AND actor_id = ${actorId} AND revoked_at IS NULL
          AND coalesce(expires_at > clock_timestamp(), true)
      )
    )
    FOR SHARE`
  if (actor?.tenantId !== tenantId || actor.disabledAt || !tenant) throw unauthenticated()
  requireActiveTenant(tenant)
  if (actor.stopped) throw agentStopped(actor.stopped)
  return actor
}

/**
 * Locks an actor that leaves its tenant or is deleted, and the agents that it sponsors. Returns their ids. Excludes their
 * other changes, new agents, and their admission to a space: see `requireMembers`.
 */
export async function lockWithAgents(tx: Transaction, actorId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<Pick<Actor, 'actorId'>[]>`
    SELECT actor_id AS "actorId" FROM actors WHERE (actor_id = ${actorId} OR sponsor_id = ${actorId}) AND deleted_at IS NULL
    ORDER BY sponsor_id IS NOT NULL, actor_id FOR UPDATE`
  return rows.map((row) => row.actorId)
}

/**
 * Throws unless all these actors are in a tenant, and keeps them there until the end of the transaction. An actor of
 * another tenant is unknown.
 */
export async function requireMembers(tx: Transaction, tenantId: TenantId, actorIds: readonly string[]): Promise<void> {
  if (actorIds.length === 0) return
  const found = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM actors
    WHERE actor_id = ANY (${[...actorIds]}) AND tenant_id = ${tenantId}::uuid AND deleted_at IS NULL
    ORDER BY sponsor_id IS NOT NULL, actor_id FOR KEY SHARE`
  if (found.length < new Set(actorIds).size) throw unknown('Actor')
}
