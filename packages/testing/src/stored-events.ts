import type { ConnectionOptions } from '@collab-spaces/db'
import { expect } from 'vitest'
import { spaceIdOf } from './client.js'
import { query } from './database.js'

export interface StoredEvent {
  readonly position: number
  readonly event_id: string
  readonly text: string
  readonly timestamp: string
}

/** Returns the stored events of the space at this path, after a consistency check of its log. */
export async function storedEvents(connection: ConnectionOptions, path: string): Promise<StoredEvent[]> {
  const { rows } = await query(
    connection,
    `SELECT e.position::int, e.wire, s.head::int FROM spaces s
     LEFT JOIN events e USING (tenant_id, space_id) WHERE s.space_id = $1 ORDER BY e.position`,
    [spaceIdOf(path)],
  )
  const events: StoredEvent[] = rows
    .filter(({ position }) => position !== null)
    .map(({ position, wire }) => ({ position, ...JSON.parse(wire) }))
  expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1))
  expect(rows[0].head).toBe(events.length)
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length)
  const timestamps = events.map(({ timestamp }) => timestamp)
  expect(timestamps).toEqual([...timestamps].sort())
  return events
}
