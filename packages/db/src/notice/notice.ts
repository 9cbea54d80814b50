import {
  type ActorType,
  ALERT_INTERVAL_MS,
  asUuid,
  dismissalRefusal,
  isSecurityNotice,
  type JsonObject,
  LIMITS,
  type NoticeKind,
  type TenantId,
  type Viewer,
} from '@collab-spaces/domain'
import { readableOf } from '../access/view.js'
import { signalAtCommit } from '../connection/bus.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import { Prisma } from '../generated/client.js'

/** The time of the next possible alert on a channel `c`; null before the first one. */
export const NEXT_ALERT_AT = `(c.alerted_at + ${ALERT_INTERVAL_MS} * interval '1 ms')`

/** The condition that a notice `n` is not snoozed. */
export const IS_SHOWN = 'coalesce(n.snoozed_until <= clock_timestamp(), true)'

/** A notice for an actor. */
export interface NewNotice {
  readonly tenantId: TenantId
  readonly actorId: string
  readonly kind: NoticeKind
  /** An actor has one notice by kind and subject, the newest. */
  readonly subject: string
  /** The actor that caused the notice. Quotas count by the human behind that actor. */
  readonly sourceId: string
  /** The related space, if any. */
  readonly spaceId: string | null
  readonly details: JsonObject
}

export interface NoticeRecord {
  readonly noticeId: string
  readonly kind: NoticeKind
  readonly spaceId: string | null
  readonly details: JsonObject
  /** The number of earlier notices that this one replaces. */
  readonly earlier: number
  readonly createdAt: Date
  /** The time of the first delivery; null before it. */
  readonly seenAt: Date | null
  /** When it comes back; null for never by time, and unless it is snoozed. */
  readonly snoozedUntil: Date | null
}

export const noticeStore = ({ prisma }: StoreContext) => ({
  /** Raises notices in a transaction of their own. */
  raise: (notices: readonly NewNotice[]): Promise<void> => prisma.$transaction((tx) => raiseNotices(tx, notices)),

  /** The pending or the snoozed notices of a viewer about readable spaces or none; oldest first. */
  async list(viewer: Viewer, snoozed: boolean): Promise<NoticeRecord[]> {
    return prisma.$queryRaw<NoticeRecord[]>`
      SELECT n.notice_id AS "noticeId", n.kind, n.space_id AS "spaceId", n.details, n.earlier, n.created_at AS "createdAt",
        n.seen_at AS "seenAt", nullif(n.snoozed_until, 'infinity') AS "snoozedUntil"
      FROM notices n
      WHERE n.tenant_id = ${viewer.tenantId}::uuid AND n.actor_id = ${viewer.actorId} AND ${Prisma.raw(IS_SHOWN)} <> ${snoozed}
        AND (n.space_id IS NULL OR EXISTS (
          SELECT FROM spaces s WHERE s.tenant_id = n.tenant_id AND s.space_id = n.space_id AND ${readableOf(viewer)}))
      ORDER BY n.created_at, n.notice_id`
  },

  /** Records the delivery of notices, unless the tenant is moving. */
  async seen(tenantId: TenantId, actorId: string, noticeIds: readonly string[]): Promise<void> {
    await prisma.$executeRaw`
      UPDATE notices SET seen_at = clock_timestamp()
      WHERE tenant_id = ${tenantId}::uuid AND actor_id = ${actorId} AND notice_id = ANY (${[...noticeIds]}::uuid[])
        AND seen_at IS NULL AND EXISTS (SELECT FROM tenants WHERE tenant_id = ${tenantId}::uuid AND status = 'active')`
  },

  /**
   * Rejects a credential that may not dismiss one of these notices (403). Skips notices that are gone, were raised again,
   * or concern a space outside the limits of the credential.
   */
  async requireDismissable(viewer: Dismisser, noticeIds: readonly string[]): Promise<void> {
    if (noticeIds.length === 0) return
    const { tenantId, actorId } = viewer
    const where = { tenantId, actorId, noticeId: { in: noticeIds.map(asUuid) } }
    const rows = await prisma.notice.findMany({ where, select: { kind: true, spaceId: true } })
    for (const { kind, spaceId } of rows) {
      const refusal = dismissalRefusal(viewer, { kind: kind as NoticeKind, spaceId })
      if (refusal) throw refusal
    }
  },

  /** Dismisses notices. Skips the same ones as `requireDismissable`. */
  async dismiss(viewer: Viewer, noticeIds: readonly string[]): Promise<void> {
    if (noticeIds.length === 0) return
    await prisma.$executeRaw`
      DELETE FROM notices n
      WHERE n.tenant_id = ${viewer.tenantId}::uuid AND n.actor_id = ${viewer.actorId}
        AND n.notice_id = ANY (${noticeIds.map(asUuid)}::uuid[]) AND (n.space_id IS NULL OR EXISTS (
          SELECT FROM spaces s WHERE s.tenant_id = n.tenant_id AND s.space_id = n.space_id AND ${readableOf(viewer)}))`
  },
})

/** The actor that dismisses or snoozes notices. */
type Dismisser = Viewer & { readonly actorType: ActorType }

/** Removes an obsolete notice from all recipients, in the transaction that makes it obsolete. */
export async function withdrawNotice(
  tx: Transaction,
  { tenantId, kind, subject }: Pick<NewNotice, 'tenantId' | 'kind' | 'subject'>,
  actorIds: readonly string[],
): Promise<void> {
  if (actorIds.length === 0) return
  await tx.notice.deleteMany({ where: { tenantId, actorId: { in: [...actorIds] }, kind, subject } })
}

/**
 * Raises notices in the transaction of their cause. A notice replaces the earlier one of the same kind and subject, and
 * counts it; with `snoozedUntil`, it stays the same notice, hidden. The row order is fixed, to prevent deadlocks.
 */
export async function raiseNotices(
  tx: Transaction,
  notices: readonly NewNotice[],
  snoozedUntil: Date | 'infinity' | null = null,
): Promise<void> {
  if (notices.length === 0) return
  const raised = JSON.stringify(
    notices.map(({ tenantId, actorId, kind, subject, sourceId, spaceId, details }) => ({
      tenant_id: tenantId,
      actor_id: actorId,
      kind,
      subject,
      source_id: sourceId,
      space_id: spaceId,
      details,
    })),
  )
  await tx.$executeRaw`
    INSERT INTO notices (tenant_id, actor_id, kind, subject, source_id, space_id, details, snoozed_until)
    SELECT n.tenant_id, n.actor_id, n.kind, n.subject, coalesce(a.sponsor_id, n.source_id), n.space_id, n.details,
      ${snoozedUntil}::timestamptz
    FROM json_to_recordset(${raised}::json)
      AS n(tenant_id uuid, actor_id text, kind text, subject text, source_id text, space_id text, details jsonb)
    LEFT JOIN actors a ON a.actor_id = n.source_id
    ORDER BY n.tenant_id, n.actor_id, n.kind, n.subject
    ON CONFLICT (tenant_id, actor_id, kind, subject) DO UPDATE
    SET notice_id = excluded.notice_id, source_id = excluded.source_id, space_id = excluded.space_id,
      details = excluded.details, created_at = excluded.created_at, seen_at = NULL,
      snoozed_until = excluded.snoozed_until,
      earlier = notices.earlier + (excluded.snoozed_until IS NULL)::int`
  const recipients = new Map(
    notices.map(({ tenantId, actorId, kind }) => [`${tenantId} ${actorId} ${kind}`, { tenantId, actorId, kind }]),
  )
  for (const recipient of recipients.values()) await fold(tx, recipient)
  await alert(
    tx,
    notices.filter(({ kind }) => isSecurityNotice(kind)),
  )
}

/**
 * Keeps the notices of one kind that are not snoozed within their limit. Removes the middle notice of the largest source,
 * and counts it in the next one: the first and the last of each source stay, and no source displaces another.
 */
async function fold(
  tx: Transaction,
  { tenantId, actorId, kind }: Pick<NewNotice, 'tenantId' | 'actorId' | 'kind'>,
): Promise<void> {
  for (let excess = await excessOf(tx, { tenantId, actorId, kind }); excess > 0; excess--) {
    await tx.$executeRaw`
      WITH counted AS (
        SELECT notice_id, created_at, earlier, count(*) OVER (PARTITION BY source_id) AS of_source FROM notices n
        WHERE tenant_id = ${tenantId}::uuid AND actor_id = ${actorId} AND kind = ${kind} AND ${Prisma.raw(IS_SHOWN)}
      ), ranked AS (
        SELECT notice_id, earlier, row_number() OVER age AS nth, count(*) OVER () AS total,
          lead(notice_id) OVER age AS next
        FROM counted WHERE of_source = (SELECT max(of_source) FROM counted)
        WINDOW age AS (ORDER BY created_at, notice_id)
      ), gone AS (
        DELETE FROM notices n USING ranked r
        WHERE n.tenant_id = ${tenantId}::uuid AND n.actor_id = ${actorId} AND n.kind = ${kind}
          AND n.notice_id = r.notice_id AND r.nth = (r.total + 1) / 2
        RETURNING r.next, r.earlier
      )
      UPDATE notices n SET earlier = n.earlier + g.earlier + 1 FROM gone g
      WHERE n.tenant_id = ${tenantId}::uuid AND n.actor_id = ${actorId} AND n.kind = ${kind} AND n.notice_id = g.next`
  }
}

async function excessOf(
  tx: Transaction,
  { tenantId, actorId, kind }: Pick<NewNotice, 'tenantId' | 'actorId' | 'kind'>,
): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM notices n
    WHERE tenant_id = ${tenantId}::uuid AND actor_id = ${actorId} AND kind = ${kind} AND ${Prisma.raw(IS_SHOWN)}`
  return (row?.count ?? 0) - LIMITS.notices
}

/**
 * Signals security notices at commit: wakes the long polls of the recipients on all servers, and makes their e-mail due. A
 * leased channel checks again at its release (`RELEASE` in notifications).
 */
async function alert(tx: Transaction, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return
  const owners = notices.map(({ tenantId, actorId }) => ({ tenant_id: tenantId, actor_id: actorId }))
  await tx.$executeRaw`
    UPDATE notification_channels c
    SET due_at = least(c.due_at, greatest(clock_timestamp(), ${Prisma.raw(NEXT_ALERT_AT)}))
    FROM (
      SELECT tenant_id, channel_id FROM notification_channels
      JOIN json_to_recordset(${JSON.stringify(owners)}::json) AS o(tenant_id uuid, actor_id text)
        USING (tenant_id, actor_id)
      WHERE kind = 'email' AND lease_id IS NULL
      FOR UPDATE OF notification_channels SKIP LOCKED
    ) idle
    WHERE c.tenant_id = idle.tenant_id AND c.channel_id = idle.channel_id`
  for (const { tenantId, actorId } of notices) await signalAtCommit(tx, { kind: 'inbox', tenantId, actorId })
}
