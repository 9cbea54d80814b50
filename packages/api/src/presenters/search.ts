import type { SearchMatch } from '@collab-spaces/db'
import { type SearchQuery, snippetOf } from '@collab-spaces/domain'
import type { Event } from '../schemas/event.js'
import type { Match } from '../schemas/search.js'

/**
 * The event is shown as it is stored. The database marks words, since it knows their inflections; text without spaces is
 * marked here.
 */
export function presentMatch(match: SearchMatch, query: SearchQuery): Match {
  const event = JSON.parse(match.wire) as Event
  const runs = query.flatMap((terms) => terms.filter(({ negated }) => !negated).flatMap(({ runs }) => runs))
  return { ...event, rank: match.rank, snippet: snippetOf(event.text, runs, match.headline) }
}
