import { DEFAULT_NOTIFICATION_SETTINGS, SECURITY_NOTICE_KINDS } from '@collab-spaces/domain'
import { isHere } from '../access/presence.js'
import { NEXT_ALERT_AT } from '../notice/notice.js'

const { delayMinutes, pushDelayMinutes } = DEFAULT_NOTIFICATION_SETTINGS

/** The delay of a channel `c` in minutes, from the settings `p` of its owner. */
export const DELAY_MINUTES = `CASE c.kind WHEN 'push' THEN coalesce(p.push_delay_minutes, ${pushDelayMinutes})
  ELSE coalesce(p.delay_minutes, ${delayMinutes}) END`

export const DELAY = `((${DELAY_MINUTES}) * interval '1 minute')`

/** Whether the owner of a channel `c` looks at the page, which shows what a browser would be told. */
export const IS_PRESENT = `(c.kind = 'push' AND ${isHere('c.actor_id')})`

/** The interval of scans, in proportion to the delay. */
export const PAUSE = `greatest(interval '5 seconds', least(interval '1 minute', ${DELAY} / 15))`

/** The last position of a space that the owner of a read cursor `r` has done, received or read. */
export const READ =
  'greatest(coalesce(r.done_through, 0), coalesce(r.delivered_through, 0), coalesce(r.read_through, 0))'

/** Whether a notice `n` is an alert on a channel `c`: by e-mail, because a stolen credential may have read the inbox. */
export const IS_ALERT = `(c.kind = 'email' AND n.kind IN (${SECURITY_NOTICE_KINDS.map((kind) => `'${kind}'`).join(', ')}))`

export const HAS_UNTOLD = `EXISTS (
  SELECT FROM notices n WHERE n.tenant_id = c.tenant_id AND n.actor_id = c.actor_id
    AND NOT n.notice_id = ANY (c.told_notices) AND ${IS_ALERT})`

/** Whether a channel `c` has an alert due now. */
export const HAS_ALERT = `(coalesce(${NEXT_ALERT_AT} <= clock_timestamp(), true) AND ${HAS_UNTOLD})`

export const PAUSE_OF = `(SELECT ${PAUSE} FROM (SELECT) one LEFT JOIN notification_settings p
  ON p.tenant_id = c.tenant_id AND p.actor_id = c.actor_id)`
