import {
  type ActorType,
  conflict,
  DEFAULT_TENANT,
  type Initiator,
  requireCanDepart,
  type TenantId,
  unknown,
} from '@collab-spaces/domain'
import { lockAdmins, otherAdmins, othersWho } from '../access/admins.js'
import { lockActor, lockBearer, lockWithAgents } from '../access/lock.js'
import { type ActorRecord, LIVE } from '../access/record.js'
import { record } from '../audit/audit.js'
import type { Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import { endChannelsOf } from '../notification/channel.js'
import { revokeCodesOf } from '../space/code.js'
import { deleteIncomingOf, endWebhooksOf } from '../webhook/end.js'

/** Locks an actor that is leaving its tenant. Throws if its credential has ended. */
export async function lockDeparting(tx: Transaction, bearer: Bearer): Promise<ActorRecord> {
  // Locked before the actor, as in a removal. The shared tenant needs no admin.
  if (bearer.tenantId !== DEFAULT_TENANT) await lockAdmins(tx, bearer.tenantId)
  return lockBearer(tx, bearer)
}

/** Locks an actor that the operator removes. 404 for an unknown actor. */
export async function lockTakenAway(tx: Transaction, actorId: string): Promise<ActorRecord> {
  const found = await tx.actor.findFirst({ where: { actorId, ...LIVE }, select: { tenantId: true } })
  if (found) await lockAdmins(tx, found.tenantId as TenantId)
  const actor = found && (await lockActor(tx, actorId))
  if (!actor) throw unknown('Actor')
  if (actor.tenantId !== found.tenantId) throw conflict('The actor has just moved to another tenant: try again')
  return actor
}

/** Throws if other members would be left without an admin. Must run under `lockDeparting` or `lockTakenAway`. */
export async function requireMayDepart(tx: Transaction, member: ActorRecord): Promise<void> {
  const { tenantId, actorId } = member
  if (tenantId === DEFAULT_TENANT || !member.isAdmin) return
  const otherHumans = await othersWho(tx, tenantId, actorId, { actorType: 'human' satisfies ActorType })
  requireCanDepart({ member, otherAdmins: await otherAdmins(tx, tenantId, actorId), otherHumans })
}

/**
 * Moves a human, locked by the caller, and its agents into a tenant. Their old memberships remain with their current
 * names, and so do their writings there. Returns the ids of all moved actors. The ids are one array parameter, because
 * their number may exceed the parameter limit of a statement. A disablement by an admin of the old tenant is lifted,
 * because no admin of the new one could lift it. A stop of an agent by an admin stays, in the name of the new tenant. A
 * default space stays the default if it is among the `movedSpaces`.
 */
export async function moveInto(
  tx: Transaction,
  by: Initiator,
  { actorId: humanId, tenantId: left }: ActorRecord,
  tenantId: TenantId,
  departure: 'member.left' | 'member.removed' = 'member.left',
  movedSpaces: readonly string[] = [],
): Promise<readonly string[]> {
  const moved = await lockWithAgents(tx, humanId)
  await tx.$executeRaw`
    UPDATE memberships m SET left_as = a.display_name FROM actors a
    WHERE a.actor_id = ANY (${moved}) AND m.tenant_id = a.tenant_id AND m.actor_id = a.actor_id`
  await tx.$executeRaw`
    INSERT INTO memberships (tenant_id, actor_id, is_stopped)
    SELECT ${tenantId}::uuid, actor_id, stopped_at IS NOT NULL FROM actors WHERE actor_id = ANY (${moved})
    ON CONFLICT (tenant_id, actor_id) DO UPDATE SET is_stopped = excluded.is_stopped
    WHERE memberships.is_stopped <> excluded.is_stopped`
  await tx.$executeRaw`
    UPDATE actors SET tenant_id = ${tenantId}::uuid, is_admin = false, is_guest = false, may_sponsor = false,
      default_space_id = CASE WHEN default_space_id = ANY (${[...movedSpaces]}) THEN default_space_id END,
      disabled_at = CASE WHEN disabled_by IS NULL THEN disabled_at END, disabled_by = NULL,
      stopped_by = CASE WHEN stopped_by = ANY (${moved}) THEN stopped_by WHEN stopped_by IS NOT NULL THEN ${tenantId}::text END
    WHERE actor_id = ANY (${moved})`
  // Returning members are admitted to private spaces again.
  await tx.$executeRaw`
    DELETE FROM participants p USING spaces s
    WHERE p.tenant_id = ${left}::uuid AND p.actor_id = ANY (${moved})
      AND s.tenant_id = p.tenant_id AND s.space_id = p.space_id AND s.visibility = 'private'`
  await revokeCodesOf(tx, by, left, moved)
  await endWebhooksOf(tx, left, moved)
  await deleteIncomingOf(tx, left, moved)
  await endChannelsOf(tx, left, moved)
  await record(tx, by, left, departure, moved)
  await record(tx, by, tenantId, 'member.joined', moved)
  return moved
}
