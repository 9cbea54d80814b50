import { type Event, LIMITS } from '@collab-spaces/client'

type Metadata = NonNullable<Event['metadata']>

/**
 * The metadata of an event, with its origin, as the server assigns new IDs and times. If the event had been imported
 * before, `first` is its first origin; those in between are dropped.
 */
export function originOf(event: Event): Metadata | null {
  const { metadata, event_id, space_id, timestamp, parent_event_id, thread_id } = event
  const earlier = metadata !== null && Object.hasOwn(metadata, 'imported_from') ? metadata.imported_from : undefined
  const imported_from = {
    event_id,
    space_id,
    timestamp,
    ...(parent_event_id !== null && { parent_event_id }),
    ...(thread_id !== null && { thread_id }),
    ...(earlier !== undefined && { first: firstOf(earlier) }),
  }
  const whole = { ...metadata, imported_from }
  // Without room for both, the metadata is worth more than the origin.
  return Buffer.byteLength(JSON.stringify(whole)) <= LIMITS.freeJsonBytes ? whole : metadata
}

/** The ID that an imported event had in the export. */
export function sourceIn({ metadata }: Event): string | null {
  const origin = metadata !== null && Object.hasOwn(metadata, 'imported_from') ? metadata.imported_from : null
  const id = objectIn(origin)?.event_id
  return typeof id === 'string' ? id : null
}

const firstOf = (origin: Metadata[string]) => objectIn(origin)?.first ?? origin

const objectIn = (value: Metadata[string] | null | undefined) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Metadata) : null
