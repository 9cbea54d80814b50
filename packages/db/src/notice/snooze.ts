import { asUuid, isSecurityNotice, type NoticeKind, unknown, type Viewer } from '@collab-spaces/domain'
import { readableOf } from '../access/view.js'
import type { Transaction } from '../connection/store-context.js'
import { Prisma } from '../generated/client.js'
import { IS_SHOWN } from './notice.js'

/**
 * Hides notices until a time, or until they are raised again (null). A time that has passed brings them back as seen. 404
 * if one is missing. A notice that comes back is sent to all channels anew, but a security notice by e-mail only once.
 */
export async function snoozeNotices(
  tx: Transaction,
  viewer: Viewer,
  noticeIds: readonly string[],
  until: Date | null,
  now: Date,
): Promise<void> {
  if (noticeIds.length === 0) return
  const wanted = [...new Set(noticeIds.map(asUuid))]
  const isOver = isPast(until, now)
  const hidden = await tx.$queryRaw<HiddenNotice[]>`
    UPDATE notices n SET
      snoozed_until = CASE WHEN NOT ${isOver} THEN coalesce(${until}::timestamptz, 'infinity') END,
      seen_at = CASE WHEN ${isOver} THEN ${now}::timestamptz END
    WHERE n.tenant_id = ${viewer.tenantId}::uuid AND n.actor_id = ${viewer.actorId}
      AND n.notice_id = ANY (${wanted}::uuid[]) AND (n.space_id IS NULL OR EXISTS (
        SELECT FROM spaces s WHERE s.tenant_id = n.tenant_id AND s.space_id = n.space_id AND ${readableOf(viewer)}))
    RETURNING n.notice_id AS "noticeId", n.kind`
  if (hidden.length < wanted.length) throw unknown('Notice')
  if (!isOver) await forgetTold(tx, viewer, hidden)
}

interface HiddenNotice {
  readonly noticeId: string
  readonly kind: NoticeKind
}

/** Whether a snooze until this time brings back what it names. */
export const isPast = (until: Date | null, now: Date): boolean => until !== null && until <= now

/** Returns how many notices of an actor are snoozed, of the kind with most of them. */
export async function snoozedNotices(tx: Transaction, { tenantId, actorId }: Viewer): Promise<number> {
  const [most] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM notices n
    WHERE n.tenant_id = ${tenantId}::uuid AND n.actor_id = ${actorId} AND NOT ${Prisma.raw(IS_SHOWN)}
    GROUP BY n.kind ORDER BY count DESC LIMIT 1`
  return most?.count ?? 0
}

/** A stolen credential must not repeat alerts, nor hold them back. */
async function forgetTold(
  tx: Transaction,
  { tenantId, actorId }: Viewer,
  notices: readonly HiddenNotice[],
): Promise<void> {
  const all = notices.map(({ noticeId }) => noticeId)
  const byMail = notices.filter(({ kind }) => !isSecurityNotice(kind)).map(({ noticeId }) => noticeId)
  await tx.$executeRaw`
    UPDATE notification_channels c SET told_notices = ARRAY(
      SELECT told FROM unnest(c.told_notices) AS told
      WHERE told <> ALL (CASE c.kind WHEN 'email' THEN ${byMail}::uuid[] ELSE ${all}::uuid[] END))
    WHERE c.tenant_id = ${tenantId}::uuid AND c.actor_id = ${actorId} AND c.told_notices && ${all}::uuid[]`
}
