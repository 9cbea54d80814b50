-- by hand: every event says as whom it was posted, with the name by which the poster is known in its scope now. An
-- idempotent request gets the event as it is here.
UPDATE events e
SET wire_version = 2,
  wire = left(e.wire, -1) || ',"posted_by_name":' || to_json(coalesce(m.left_as, a.display_name))::text
    || ',"posted_by_type":' || to_json(a.actor_type)::text || '}'
FROM memberships m
JOIN actors a ON a.actor_id = m.actor_id
WHERE e.wire_version = 1 AND m.tenant_id = e.tenant_id AND m.actor_id = e.posted_by;
