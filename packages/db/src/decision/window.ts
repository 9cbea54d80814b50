import type { Author, DecisionStatus, ReadableSpace, TimeSpan } from '@collab-spaces/domain'
import type pg from 'pg'
import { authorOf } from '../access/shown-name.js'
import { cutExcerpts, excerpt } from './excerpt.js'

/** Counts of the decisions in a window. */
export interface DecidedWithin {
  /** Changes with the decisions proposed or settled in the window, and with their status. Null if there are none. */
  readonly digest: string | null
  readonly proposed: number
  readonly settled: number
}

/** A decision in a window, with excerpts of its texts. */
export interface DecidedExcerpt {
  readonly decisionId: string
  readonly text: string
  readonly status: DecisionStatus
  readonly resolution: string | null
  readonly proposer: Author
  /** The attribution of the proposal. */
  readonly proposedBy: string
  readonly settler: Author | null
  /** The attribution of the settlement. */
  readonly resolvedBy: string | null
  readonly isProposedWithin: boolean
  readonly isSettledWithin: boolean
}

/** Maximum excerpts: of the first proposed and the first settled decisions, and of the newest overall. */
const FIRST = 20
const NEWEST = 50
/** Maximum length of an excerpt, in characters. A text may be a hundred times as long. */
const EXCERPT = 4_000

const TOUCHED = `
  SELECT decision_id, status, created_at, created_at BETWEEN $3 AND $4 AS is_proposed,
    coalesce(resolved_at BETWEEN $3 AND $4, false) AS is_settled
  FROM decisions
  WHERE tenant_id = $1 AND space_id = $2 AND (created_at BETWEEN $3 AND $4 OR resolved_at BETWEEN $3 AND $4)`

/** The digest covers ids, not texts: a text changes only by redaction, which deletes the summaries. */
const DECIDED = {
  name: 'decided_within',
  text: `
    SELECT count(*) FILTER (WHERE is_proposed) AS proposed, count(*) FILTER (WHERE is_settled) AS settled,
      md5(string_agg(concat_ws(' ', decision_id, status, is_proposed, is_settled), ',' ORDER BY decision_id)) AS digest
    FROM (${TOUCHED}) t`,
}

const EXCERPTS = {
  name: 'decided_excerpts',
  text: `
    SELECT d.decision_id AS "decisionId", ${excerpt('d.text', EXCERPT)} AS text, d.status,
      ${excerpt('d.resolution', EXCERPT)} AS resolution, ${authorOf('d.posted_by')} AS proposer, d.proposed_by AS "proposedBy",
      ${authorOf('d.settled_by')} AS settler, d.resolved_by AS "resolvedBy",
      t.is_proposed AS "isProposedWithin", t.is_settled AS "isSettledWithin"
    FROM (
      SELECT *, row_number() OVER (PARTITION BY is_proposed ORDER BY created_at, decision_id) AS of_proposed,
        row_number() OVER (PARTITION BY is_settled ORDER BY created_at, decision_id) AS of_settled,
        row_number() OVER (ORDER BY created_at DESC, decision_id DESC) AS of_newest
      FROM (${TOUCHED}) t
    ) t
    JOIN decisions d ON d.tenant_id = $1 AND d.space_id = $2 AND d.decision_id = t.decision_id
    WHERE t.is_proposed AND of_proposed <= ${FIRST} OR t.is_settled AND of_settled <= ${FIRST} OR of_newest <= ${NEWEST}
    ORDER BY d.created_at, d.decision_id`,
}

/** Reads the decisions in a window of a space. Their number is unlimited, and each may have the maximum length. */
export function decisionWindows(pool: pg.Pool) {
  const values = ({ tenantId, spaceId }: ReadableSpace, { start, end }: TimeSpan) => [
    tenantId,
    spaceId,
    start.toISOString(),
    end.toISOString(),
  ]
  return {
    async decidedWithin(space: ReadableSpace, window: TimeSpan): Promise<DecidedWithin> {
      const { rows } = await pool.query<DecidedWithin>({ ...DECIDED, values: values(space, window) })
      return rows[0] as DecidedWithin
    },

    async excerptsWithin(space: ReadableSpace, window: TimeSpan): Promise<DecidedExcerpt[]> {
      const { rows } = await pool.query<DecidedExcerpt>({ ...EXCERPTS, values: values(space, window) })
      return rows.map((decision) => cutExcerpts(decision, EXCERPT))
    },
  }
}
