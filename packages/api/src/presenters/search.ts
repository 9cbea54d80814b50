import type { SearchMatch } from '@collab-spaces/db'
import { type Event, type SearchQuery, snippetOf } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Match } from '../schemas/search.js'

/** The database marks words, since it knows their inflections; text without spaces is marked here. */
export function presentMatch(match: SearchMatch, query: SearchQuery): z.infer<typeof Match> {
  const event = JSON.parse(match.wire) as Event
  const runs = query.flatMap((terms) => terms.filter(({ negated }) => !negated).flatMap(({ runs }) => runs))
  return {
    event_id: event.event_id,
    space_id: event.space_id,
    speaker_id: event.speaker_id,
    speaker_name: event.speaker_name,
    speaker_type: event.speaker_type,
    text: event.text,
    timestamp: event.timestamp,
    parent_event_id: event.parent_event_id,
    references: event.references,
    thread_id: event.thread_id,
    metadata: event.metadata,
    posted_by: event.posted_by,
    posted_by_name: event.posted_by_name,
    posted_by_type: event.posted_by_type,
    rank: match.rank,
    snippet: snippetOf(event.text, runs, match.headline),
  }
}
