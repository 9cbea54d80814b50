import type { FoundDecision, SearchMatch } from '@collab-spaces/db'
import { type SearchQuery, snippetOf, wordsInRow } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Event } from '../schemas/event.js'
import type { DecisionMatch, Match } from '../schemas/search.js'

/**
 * Renders a match: the stored event with more fields. The database highlights words, as it knows their inflections; text
 * without spaces is highlighted here.
 */
export function renderMatch(match: SearchMatch, query: SearchQuery): string {
  const { wire, rank, fileId, name, passage } = match
  const { text, current_text } = JSON.parse(wire) as Event
  const found: FoundFields =
    fileId === null
      ? { rank, snippet: snippetIn(text, match, query) }
      : {
          rank,
          snippet: snippetOf(current_text ?? text, []),
          matched_file: {
            file_id: fileId,
            name: name ?? '',
            snippet: passage === null ? null : snippetIn(passage, match, query),
          },
        }
  return `${wire.slice(0, -1)},${JSON.stringify(found).slice(1)}`
}

type FoundFields = Omit<Match, keyof Event>

function snippetIn(text: string, { headline }: SearchMatch, query: SearchQuery): string {
  const runs = query.flatMap((terms) => terms.filter(({ negated }) => !negated).flatMap(({ runs }) => runs))
  return snippetOf(text, runs, headline, wordsInRow(query))
}

export const presentDecisionMatch = (decision: FoundDecision): z.infer<typeof DecisionMatch> => ({
  decision_id: decision.decisionId,
  space_id: decision.spaceId,
  text: decision.text,
  status: decision.status,
  resolution: decision.resolution,
  created_at: decision.createdAt.toISOString(),
  resolved_at: decision.resolvedAt?.toISOString() ?? null,
  proposed_by: decision.proposedBy,
  posted_by: decision.postedBy,
  resolved_by: decision.resolvedBy,
  settled_by: decision.settledBy,
  superseded_by: decision.supersededBy,
})
