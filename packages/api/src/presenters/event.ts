import type { Append } from '@collab-spaces/db'
import type { EventDraft } from '@collab-spaces/domain'

/**
 * An event's JSON, rendered once, when it is written. Only the log knows the timestamp, so the text comes in the two
 * pieces around it. Every field of the response is listed here: the compiler asks for one that is missing.
 */
export function renderEvent(draft: EventDraft): Append['template'] {
  const before = {
    event_id: draft.event_id,
    space_id: draft.space_id,
    speaker_id: draft.speaker_id,
    speaker_name: draft.speaker_name,
    speaker_type: draft.speaker_type,
    text: draft.text,
  }
  const after: Omit<EventDraft, keyof typeof before> = {
    parent_event_id: draft.parent_event_id,
    references: draft.references,
    thread_id: draft.thread_id,
    metadata: draft.metadata,
    posted_by: draft.posted_by,
    posted_by_name: draft.posted_by_name,
    posted_by_type: draft.posted_by_type,
  }
  return {
    beforeTimestamp: `${JSON.stringify(before).slice(0, -1)},"timestamp":"`,
    afterTimestamp: `",${JSON.stringify(after).slice(1)}`,
  }
}
