import { asUuid, type JsonObject, LIMITS, type NoticeKind, type Scope, type Viewer } from '@collab-spaces/domain'
import type { StoreContext, Transaction } from './connection/store-context.js'
import { readableOf } from './space/view.js'

/** A notice for somebody. */
export interface NewNotice {
  readonly scope: Scope
  readonly actorId: string
  readonly kind: NoticeKind
  /** Its subject. Of one kind, an actor has one notice for each subject, the newest. */
  readonly subject: string
  /** The space that it is about, if any. */
  readonly spaceId: string | null
  readonly details: JsonObject
}

export interface NoticeRecord {
  readonly noticeId: string
  readonly kind: NoticeKind
  readonly spaceId: string | null
  readonly details: JsonObject
  readonly createdAt: Date
  /** When the actor was first given it; null if it was not. */
  readonly seenAt: Date | null
}

export const noticeStore = ({ prisma }: StoreContext) => ({
  /** Raises notices in a transaction of their own. */
  raise: (notices: readonly NewNotice[]): Promise<void> => prisma.$transaction((tx) => raiseNotices(tx, notices)),

  /** Notices that a viewer has not marked as done, but for those about a space that it does not see; oldest first. */
  async list(viewer: Viewer): Promise<NoticeRecord[]> {
    const rows = await prisma.$queryRaw<(Omit<NoticeRecord, 'details'> & { details: string })[]>`
      SELECT n.notice_id AS "noticeId", n.kind, n.space_id AS "spaceId", n.details, n.created_at AS "createdAt",
        n.seen_at AS "seenAt"
      FROM notices n
      WHERE n.tenant_id = ${viewer.scope}::uuid AND n.actor_id = ${viewer.actorId} AND (n.space_id IS NULL OR EXISTS (
        SELECT FROM spaces s WHERE s.tenant_id = n.tenant_id AND s.space_id = n.space_id AND ${readableOf(viewer)}))
      ORDER BY n.created_at, n.notice_id`
    return rows.map((row) => ({ ...row, details: JSON.parse(row.details) }))
  },

  /** Notes that an actor was given notices, unless its tenant is moving. */
  async seen(scope: Scope, actorId: string, noticeIds: readonly string[]): Promise<void> {
    await prisma.$executeRaw`
      UPDATE notices SET seen_at = clock_timestamp()
      WHERE tenant_id = ${scope}::uuid AND actor_id = ${actorId} AND notice_id = ANY (${[...noticeIds]}::uuid[])
        AND seen_at IS NULL AND EXISTS (SELECT FROM tenants WHERE tenant_id = ${scope}::uuid AND status = 'active')`
  },

  /** Marks notices as done, which removes them. One that is gone already, or has been raised anew, is passed over. */
  async done(tenantId: Scope, actorId: string, noticeIds: readonly string[]): Promise<void> {
    await prisma.notice.deleteMany({ where: { tenantId, actorId, noticeId: { in: noticeIds.map(asUuid) } } })
  },
})

/** Removes a notice from those who still have it, in the transaction in which it no longer matters. */
export async function withdrawNotice(
  tx: Transaction,
  { scope, kind, subject }: Pick<NewNotice, 'scope' | 'kind' | 'subject'>,
  actorIds: readonly string[],
): Promise<void> {
  if (actorIds.length === 0) return
  await tx.notice.deleteMany({ where: { tenantId: scope, actorId: { in: [...actorIds] }, kind, subject } })
}

/**
 * Raises notices in the transaction of what they tell of. The same kind about the same subject takes the place of the
 * one before, and beyond the limit the oldest go. Rows are written in one order, so that two transactions cannot wait
 * for each other.
 */
export async function raiseNotices(tx: Transaction, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return
  const raised = JSON.stringify(
    notices.map(({ scope, actorId, kind, subject, spaceId, details }) => ({
      tenant_id: scope,
      actor_id: actorId,
      kind,
      subject,
      space_id: spaceId,
      details: JSON.stringify(details),
    })),
  )
  await tx.$executeRaw`
    INSERT INTO notices (tenant_id, actor_id, kind, subject, space_id, details)
    SELECT tenant_id, actor_id, kind, subject, space_id, details
    FROM json_to_recordset(${raised}::json)
      AS n(tenant_id uuid, actor_id text, kind text, subject text, space_id text, details text)
    ORDER BY tenant_id, actor_id, kind, subject
    ON CONFLICT (tenant_id, actor_id, kind, subject) DO UPDATE
    SET notice_id = excluded.notice_id, space_id = excluded.space_id, details = excluded.details,
      created_at = excluded.created_at, seen_at = NULL`
  await tx.$executeRaw`
    DELETE FROM notices n USING (
      SELECT DISTINCT tenant_id, actor_id FROM json_to_recordset(${raised}::json) AS n(tenant_id uuid, actor_id text)
    ) a
    WHERE n.tenant_id = a.tenant_id AND n.actor_id = a.actor_id AND n.notice_id IN (
      SELECT o.notice_id FROM notices o WHERE o.tenant_id = a.tenant_id AND o.actor_id = a.actor_id
      ORDER BY o.created_at DESC, o.notice_id DESC OFFSET ${LIMITS.notices}
    )`
}
