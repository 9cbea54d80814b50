import type { Event } from '@collab-spaces/client'

type Metadata = NonNullable<Event['metadata']>

/** What the server takes as the metadata of an event, in bytes. */
const MOST_BYTES = 65_536

/**
 * The metadata of an event, with where it comes from: a server gives its own ids and times. Of an event that had been
 * imported before, `first` tells where it was said; what lies between is not kept.
 */
export function originOf(event: Event): Metadata | null {
  const { metadata, event_id, space_id, timestamp, parent_event_id, thread_id } = event
  const before = metadata !== null && Object.hasOwn(metadata, 'imported_from') ? metadata.imported_from : undefined
  const imported_from = {
    event_id,
    space_id,
    timestamp,
    ...(parent_event_id !== null && { parent_event_id }),
    ...(thread_id !== null && { thread_id }),
    ...(before !== undefined && { first: firstOf(before) }),
  }
  const whole = { ...metadata, imported_from }
  // Metadata that has no room for it is worth more than where it comes from.
  return Buffer.byteLength(JSON.stringify(whole)) <= MOST_BYTES ? whole : metadata
}

/** The id that an imported event had where it was exported. */
export function sourceIn({ metadata }: Event): string | null {
  const origin = metadata !== null && Object.hasOwn(metadata, 'imported_from') ? metadata.imported_from : null
  const id = objectIn(origin)?.event_id
  return typeof id === 'string' ? id : null
}

const firstOf = (origin: Metadata[string]) => objectIn(origin)?.first ?? origin

const objectIn = (value: Metadata[string] | null | undefined) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Metadata) : null
