import type { Redactable, TenantId } from '@collab-spaces/domain'
import type { StoreContext } from '../connection/store-context.js'

/** A request to erase, with its requester. */
export interface ErasureRequest {
  readonly tenantId: TenantId
  readonly spaceId: string
  /** The person who asked for it, and the reason, as the operator notes them. */
  readonly requestedBy: string
  readonly reason: string | null
}

/** An erasure by the operator. */
export interface ErasureRecord extends ErasureRequest {
  readonly erasureId: string
  /** The redacted noun: of `events`, all up to a position. Null for a whole space, which was deleted. */
  readonly noun: Redactable | 'events' | null
  /** The id of what was redacted, or of the space that was deleted. Of events, the position of the last one. */
  readonly subjectId: string
  /** How many events were erased. */
  readonly events: number
  readonly startedAt: Date
  /** Null while a space is being deleted. */
  readonly completedAt: Date | null
}

export const erasureStore = ({ prisma }: StoreContext) => ({
  /** The newest, newest first. */
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
