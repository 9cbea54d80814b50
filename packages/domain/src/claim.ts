/** The speaker that an event names, and the actor that posted it: of both, the fields that people are shown. */
export interface Spoken {
  readonly speaker_id: string
  readonly speaker_name: string
  readonly speaker_type: string
  readonly posted_by: string
  readonly posted_by_name: string
  readonly posted_by_type: string
}

/** The speaker as whom an event was posted: what its poster says, which proves nothing. */
export interface Claim {
  readonly id: string
  readonly name: string
  readonly type: string
}

/**
 * The speaker that an event claims, where that is not who posted it, by ID, name or type; null where it is. Whoever shows
 * an event shows the poster first, in the poster's form, and this as a claim.
 */
export function claimOf(event: Spoken): Claim | null {
  const isPoster =
    event.speaker_id === event.posted_by &&
    event.speaker_name === event.posted_by_name &&
    event.speaker_type === event.posted_by_type
  return isPoster ? null : { id: event.speaker_id, name: event.speaker_name, type: event.speaker_type }
}
