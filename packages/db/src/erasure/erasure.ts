import type { Redactable, TenantId } from '@collab-spaces/domain'
import type { StoreContext } from '../connection/store-context.js'

/** An erasure request with its requester. */
export interface ErasureRequest {
  readonly tenantId: TenantId
  readonly spaceId: string
  /** The requester and the reason, as noted by the operator. */
  readonly requestedBy: string
  readonly reason: string | null
}

/** An erasure by the operator. */
export interface ErasureRecord extends ErasureRequest {
  readonly erasureId: string
  /** The kind of the redacted object; `events` for all events up to a position; null for a deleted space. */
  readonly noun: Redactable | 'events' | null
  /** The id of the redacted object or the deleted space; for events, the position of the last one. */
  readonly subjectId: string
  /** The number of erased events. */
  readonly events: number
  readonly startedAt: Date
  /** Null while a space is being deleted. */
  readonly completedAt: Date | null
}

/** Excludes spaces with an unfinished deletion. */
export const notBeingDeleted = (table: string) => `NOT EXISTS (
  SELECT FROM erasures x WHERE x.tenant_id = ${table}.tenant_id AND x.space_id = ${table}.space_id
    AND x.event_id IS NULL AND x.completed_at IS NULL)`

export const erasureStore = ({ prisma }: StoreContext) => ({
  /** The newest erasures in descending order. */
  async list(take: number): Promise<ErasureRecord[]> {
    const rows = await prisma.erasure.findMany({ orderBy: [{ startedAt: 'desc' }, { erasureId: 'desc' }], take })
    return rows.map((row) => ({
      ...row,
      tenantId: row.tenantId as TenantId,
      noun: row.noun as ErasureRecord['noun'],
      subjectId: row.subjectId ?? row.spaceId,
      events: Number(row.events),
    }))
  },
})
