import type { ConnectionOptions } from '@collab-spaces/db'
import { query } from '@collab-spaces/testing/programs'

export interface StoredEvent {
  readonly position: number
  readonly eventId: string
  readonly text: string
  readonly timestamp: string
}

/** Returns all events of a space in its log, and its head. */
export async function readLog(
  connection: ConnectionOptions,
  space: string,
): Promise<{ events: StoredEvent[]; head: number }> {
  // Space ids repeat between tenants, but not within a trial.
  const { rows: heads } = await query(connection, 'SELECT head::int FROM spaces WHERE space_id = $1', [space])
  const { rows } = await query(
    connection,
    'SELECT position::int, event_id, wire FROM events WHERE space_id = $1 ORDER BY position',
    [space],
  )
  const events = rows.map(({ position, event_id, wire }): StoredEvent => {
    const { text, timestamp } = JSON.parse(wire)
    return { position, eventId: event_id, text, timestamp }
  })
  return { events, head: heads[0]?.head ?? 0 }
}
