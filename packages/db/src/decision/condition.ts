/** The condition that a decision `d` can still be resolved. */
export const IS_WAITING = `d.status = 'proposed' AND d.superseded_by IS NULL
  AND coalesce(d.expires_at > clock_timestamp(), true)`

/** The condition that the chosen option of a decision `d` permits its action. Erased options permit nothing. */
export const IS_PERMITTED = `(d.options IS NULL
  OR d.options @> jsonb_build_array(jsonb_build_object('id', d.option, 'denies', false)))`

/** The condition that a decision `d` is resolved and not replaced, and that its action, if any, is permitted or used. */
export const IS_IN_FORCE = `d.status = 'resolved' AND d.superseded_by IS NULL AND (d.action IS NULL OR ${IS_PERMITTED}
  AND (d.used_at IS NOT NULL OR coalesce(d.expires_at > clock_timestamp(), true)))`
