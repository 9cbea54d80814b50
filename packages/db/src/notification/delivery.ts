import type { NotificationBatch } from '@collab-spaces/domain'
import type { StoreContext } from '../connection/store-context.js'
import { IS_SHOWN } from '../notice/notice.js'
import { IS_ALERT, PAUSE_OF, READ } from './condition.js'
import { HELD, held, type LeasedChannel } from './lease.js'

const BEGIN = {
  name: 'notification_begin',
  text: `UPDATE notification_channels SET batch = $4 WHERE ${HELD} AND due_at > clock_timestamp() RETURNING true`,
}

/** Removes the positions of spaces that have been read since, and the ids of dismissed and snoozed notices. */
const TOLD = {
  name: 'notification_told',
  text: `
    UPDATE notification_channels c SET batch = NULL, failures = 0, lease_id = NULL,
      told = (
        SELECT coalesce(jsonb_object_agg(k.key, k.value::bigint), '{}') FROM jsonb_each_text(c.told || $4::jsonb) k
        LEFT JOIN read_cursors r ON r.tenant_id = c.tenant_id AND r.actor_id = c.actor_id AND r.space_id = k.key
        WHERE k.value::bigint > ${READ}
      ),
      told_notices = ARRAY(
        SELECT n.notice_id FROM notices n WHERE n.tenant_id = c.tenant_id AND n.actor_id = c.actor_id
          AND n.notice_id = ANY (c.told_notices || $5::uuid[]) AND (${IS_SHOWN} OR ${IS_ALERT})
      ),
      returned_through = greatest(c.returned_through, $7::timestamptz),
      told_at = CASE WHEN $6 = 'digest' THEN clock_timestamp() ELSE c.told_at END,
      alerted_at = CASE WHEN $6 = 'alert' THEN clock_timestamp() ELSE c.alerted_at END, due_at = clock_timestamp() + ${PAUSE_OF}
    WHERE ${HELD}`,
}

/** The batches of a leased channel. */
export const deliveryStore = ({ requests }: StoreContext) => ({
  /** Stores the batch before it is sent. False if the lease has expired. */
  async begin(channel: LeasedChannel, batch: NotificationBatch): Promise<boolean> {
    const { rows } = await requests.query({ ...BEGIN, values: [...held(channel), JSON.stringify(batch)] })
    return rows.length > 0
  },

  /** Completes a batch that was sent or is obsolete. */
  async told(channel: LeasedChannel, batch: NotificationBatch, wasSent: boolean): Promise<void> {
    const { kind, through, notices, returned } = batch
    const sent = wasSent ? kind : null
    await requests.query({ ...TOLD, values: [...held(channel), JSON.stringify(through), notices, sent, returned] })
  },
})
