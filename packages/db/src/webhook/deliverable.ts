import { mayRead } from '../access/view.js'

/** Webhooks `w`, each with the key `k` of its owner. Keys of humans have no limits. */
export const WEBHOOKS = 'webhooks w LEFT JOIN api_keys k ON k.actor_id = w.owner_id'

/** Whether an actor can act in the tenant of a webhook `w`. */
const canAct = (actor: string) =>
  `${actor}.tenant_id = w.tenant_id AND ${actor}.deleted_at IS NULL AND ${actor}.disabled_at IS NULL AND ${actor}.stopped_at IS NULL`

/** Whether a key covers the content to read. A key whose limits `limitsFrom` cannot read covers nothing. */
const READS = `
  k.actor_id IS NOT NULL AND k.revoked_at IS NULL AND coalesce(k.expires_at > clock_timestamp(), true)
  AND (k.limits IS NULL OR k.limits -> 'scopes' = 'null' OR k.limits -> 'scopes' @> '"read"')`

/**
 * Whether a delivery to one of `WEBHOOKS` is allowed: checks every condition on its owner's right to read. An agent reads
 * with its key alone, so content outside the current limits of the key is not sent, even if the key covered it when the
 * webhook was made.
 */
export const DELIVERABLE = `
  w.disabled_at IS NULL AND w.verified_at IS NOT NULL AND coalesce(w.expires_at > clock_timestamp(), true)
  AND EXISTS (
    SELECT FROM actors o JOIN tenants t ON t.tenant_id = o.tenant_id
    WHERE o.actor_id = w.owner_id AND t.status = 'active' AND ${canAct('o')}
      AND (o.actor_type <> 'agent' OR ${READS})
  )
  AND (w.inbox_of IS NULL OR w.inbox_of = w.owner_id OR EXISTS (
    SELECT FROM actors i WHERE i.actor_id = w.inbox_of AND i.sponsor_id = w.owner_id AND ${canAct('i')}
  ))`

/** The allowed hosts for webhooks of the tenant of a webhook `w`; null for any. */
export const ALLOWED_HOSTS = `(SELECT t.webhook_hosts FROM tenants t WHERE t.tenant_id = w.tenant_id) AS "allowedHosts"`

/** The owner of a webhook `w` as a viewer. */
const OWNER = { actor: 'w.owner_id', isGuest: '(SELECT o.is_guest FROM actors o WHERE o.actor_id = w.owner_id)' }

/** Whether the owner of a webhook `w` sees the space of a row. */
const ownerSees = (row: string) => `EXISTS (
  SELECT FROM spaces s WHERE s.tenant_id = w.tenant_id AND s.space_id = ${row}.space_id AND ${mayRead(OWNER)})`

/** Whether one of `WEBHOOKS` may cover a space, as an expression of a row of it. */
export const reaches = (space: string) => `(
  ${ownerSees(space)} AND (NOT w.has_reach OR ${space}.space_id = ANY (w.reach))
  AND (k.limits IS NULL OR k.limits -> 'space_ids' = 'null' OR (
    k.limits ->> 'tenant_id' = w.tenant_id::text AND k.limits -> 'space_ids' @> to_jsonb(${space}.space_id)
  ))
)`
