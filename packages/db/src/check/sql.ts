/** A moment as events and acts have it in their JSON. */
export const timestamp = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Spaces of which a part has been deleted, and the rest will be. */
export const notBeingDeleted = (table: string) => `NOT EXISTS (
  SELECT FROM erasures e WHERE e.tenant_id = ${table}.tenant_id AND e.space_id = ${table}.space_id
    AND e.event_id IS NULL AND e.completed_at IS NULL)`
