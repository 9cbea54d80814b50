import { DEFAULT_NOTIFICATION_SETTINGS, SECURITY_NOTICE_KINDS } from '@collab-spaces/domain'
import { NEXT_ALERT_AT } from '../notice/notice.js'

/** Channels `c` with the settings `p` of their owners. */
export const DELAY = `(coalesce(p.delay_minutes, ${DEFAULT_NOTIFICATION_SETTINGS.delayMinutes}) * interval '1 minute')`

/** The interval of scans, in proportion to the delay. */
export const PAUSE = `greatest(interval '5 seconds', least(interval '1 minute', ${DELAY} / 15))`

/** Up to where the owner of a read cursor `r` knows a space: what is done, was handed out, or read in the history. */
export const READ = 'greatest(coalesce(r.position, 0), coalesce(r.seen, 0), coalesce(r.viewed, 0))'

/** Whether a channel `c` tells of a notice `n` in an alert: by e-mail, also if a stolen credential has read the inbox. */
export const IS_ALERT = `(c.kind = 'email' AND n.kind IN (${SECURITY_NOTICE_KINDS.map((kind) => `'${kind}'`).join(', ')}))`

export const HAS_UNTOLD = `EXISTS (
  SELECT FROM notices n WHERE n.tenant_id = c.tenant_id AND n.actor_id = c.actor_id
    AND NOT n.notice_id = ANY (c.told_notices) AND ${IS_ALERT})`

/** Whether a channel `c` has an alert to send now. */
export const HAS_ALERT = `(coalesce(${NEXT_ALERT_AT} <= clock_timestamp(), true) AND ${HAS_UNTOLD})`

export const PAUSE_OF = `(SELECT ${PAUSE} FROM (SELECT) one LEFT JOIN notification_settings p
  ON p.tenant_id = c.tenant_id AND p.actor_id = c.actor_id)`
