import { type DecisionStatus, MARKED, type SearchTerm, type Viewer } from '@collab-spaces/domain'
import { mayReadOf } from '../access/view.js'
import type { Querier } from '../connection/long-read.js'
import { decisionFilter, unaccented, withoutAccents } from '../search/filter.js'
import { wordForm } from '../search/headline.js'
import type { SearchRequest } from '../search/search.js'
import { cutExcerpts, excerpt } from './excerpt.js'

/** A matching decision, with excerpts of its texts. */
export interface FoundDecision {
  readonly decisionId: string
  readonly spaceId: string
  readonly text: string
  readonly status: DecisionStatus
  readonly resolution: string | null
  readonly createdAt: Date
  readonly resolvedAt: Date | null
  readonly proposedBy: string
  readonly postedBy: string
  readonly resolvedBy: string | null
  readonly settledBy: string | null
  readonly supersededBy: string | null
}

/**
 * Maximum number of scanned decisions: open ones first, then the newest. Decisions are few compared with events, so there
 * is no word index, and partial words match during typing.
 */
const LOOKED_THROUGH = 5_000
/** Searched prefix of each text, in characters. */
const LOOKED_AT = 4_000
/** Returned prefix of each text, in characters. */
const EXCERPT = 1_000

/** Finds the visible decisions in some spaces that match a query: open ones first, then the newest. */
export async function searchDecisions(
  connection: Querier,
  { tenantId, actorId, isGuest, limits }: Viewer,
  { query, filter, spaceIds, limit }: Omit<SearchRequest, 'sort'>,
): Promise<FoundDecision[]> {
  if (query.length === 0 && filter === null) return []
  const values: unknown[] = [tenantId]
  const add = (value: unknown) => `$${values.push(value)}`
  const actor = add(actorId)
  const within =
    spaceIds === 'joined'
      ? `IN (SELECT space_id FROM participants WHERE tenant_id = $1 AND actor_id = ${actor})`
      : `= ANY(${add(spaceIds)}::text[])`
  const isSeen = mayReadOf({ actor, isGuest: add(isGuest) }, add(limits.spaceIds))
  const { rows } = await connection.query<FoundDecision>({
    text: `
      SELECT d.decision_id AS "decisionId", d.space_id AS "spaceId", ${excerpt('d.text', EXCERPT)} AS text, d.status,
        ${excerpt('d.resolution', EXCERPT)} AS resolution, d.created_at AS "createdAt", d.resolved_at AS "resolvedAt",
        d.proposed_by AS "proposedBy", d.posted_by AS "postedBy", d.resolved_by AS "resolvedBy",
        d.settled_by AS "settledBy", d.superseded_by AS "supersededBy"
      FROM (
        SELECT tenant_id, space_id, d.decision_id FROM decisions d JOIN spaces s USING (tenant_id, space_id)
        WHERE tenant_id = $1 AND space_id ${within} AND ${isSeen}
        ORDER BY d.status = 'proposed' DESC, d.created_at DESC LIMIT ${LOOKED_THROUGH}
      ) l
      JOIN decisions d USING (tenant_id, space_id, decision_id)
      CROSS JOIN LATERAL (
        SELECT normalize(concat_ws(' ', left(d.text, ${LOOKED_AT}), left(d.resolution, ${LOOKED_AT})), NFKC) AS said OFFSET 0
      ) s
      CROSS JOIN LATERAL (SELECT ${wordForm('said')} AS form OFFSET 0) f
      CROSS JOIN LATERAL (
        SELECT regexp_replace(CASE WHEN octet_length(form) = length(form) THEN form ELSE ${unaccented('form')} END,
          '[\\s${MARKED.apart}]+', ' ', 'g') AS words OFFSET 0
      ) w
      WHERE (${query.map((terms) => `(${terms.map((term) => fits(term, add)).join(' AND ')})`).join(' OR ') || 'true'})
        AND ${decisionFilter(filter, (value, type) => `${add(value)}::${type}`) ?? 'true'}
      ORDER BY d.status = 'proposed' DESC, d.created_at DESC, d.decision_id LIMIT ${add(limit)}`,
    values,
  })
  return rows.map((decision) => cutExcerpts(decision, EXCERPT))
}

/** The condition that a text contains all parts of a term; inverted for a negated term. */
function fits({ words, isPhrase, runs, negated }: SearchTerm, add: (value: unknown) => string): string {
  const parts = words === null ? [] : isPhrase ? [words] : words.split(/\s+/)
  const has = (column: string, all: readonly string[]) => `${column} ILIKE ALL(${add(all.map(pattern))}::text[])`
  const wanted = parts.filter(Boolean).map(withoutAccents)
  return `${negated ? 'NOT ' : ''}(${has('w.words', wanted)} AND ${has('s.said', runs)})`
}

const pattern = (part: string) =>
  `%${part
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\\%_]/g, '\\$&')}%`
