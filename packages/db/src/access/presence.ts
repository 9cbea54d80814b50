import type { TenantId } from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'

/** A column of an actor, and that of its tenant. */
interface ColumnPair {
  readonly tenant: string
  readonly actor: string
}

/** Whether a view of the page is visible. */
export const isHere = (actor: string) =>
  `EXISTS (SELECT FROM presences v WHERE v.actor_id = ${actor} AND v.expires_at > clock_timestamp())`

export const showsPresence = ({ tenant, actor }: ColumnPair) => `coalesce((
  SELECT y.shows_presence FROM notification_settings y WHERE y.tenant_id = ${tenant} AND y.actor_id = ${actor}), true)`

/** Whether a person has a visible view of the page, and shows it. */
export const isPresent = (shown: ColumnPair) => `(${isHere(shown.actor)} AND ${showsPresence(shown)})`

/** Whether an actor is shown as present to a participant of a space. */
export async function isPresentTo(
  tx: Transaction,
  { tenantId, spaceId, viewerId }: { readonly tenantId: TenantId; readonly spaceId: string; readonly viewerId: string },
  actorId: string,
): Promise<boolean> {
  const [found] = await tx.$queryRawUnsafe<{ isPresent: boolean }[]>(
    `SELECT ${isPresent({ tenant: '$1::uuid', actor: '$4' })} AS "isPresent" FROM participants
     WHERE tenant_id = $1::uuid AND space_id = $2 AND actor_id = $3`,
    tenantId,
    spaceId,
    viewerId,
    actorId,
  )
  return found?.isPresent ?? false
}

/** Forgets the views of actors that are deleted. */
export const forgetPresences = (tx: Transaction, actorIds: readonly string[]) =>
  tx.$executeRaw`DELETE FROM presences WHERE actor_id = ANY (${[...actorIds]})`
