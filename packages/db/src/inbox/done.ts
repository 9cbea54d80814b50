import { asUuid, type DoneOutcome, type HeldClaim, unknown, type Viewer, workClaimLost } from '@collab-spaces/domain'
import { mayReadOf } from '../access/view.js'
import type { StoreContext } from '../connection/store-context.js'
import type { Through } from './attention.js'
import { IS_TIMED } from './snooze.js'

/** The optional details of a done mark. */
export interface DoneWith {
  readonly outcome?: DoneOutcome | undefined
  readonly reason?: string | undefined
  readonly claim?: HeldClaim | undefined
}

/** Locks the claim in the request and checks that it is live, unless every event is already done. */
const LOCKED_CLAIM = `, claims AS MATERIALIZED (
      SELECT expires_at, space_id, subject FROM work_claims
      WHERE tenant_id = $1 AND space_id = ANY ($3) AND claim_id = $9 AND fence = $10 AND holder_id = $2
      FOR NO KEY UPDATE
    ), lost AS MATERIALIZED (
      SELECT FROM asked a LEFT JOIN read_cursors c
        ON c.tenant_id = $1 AND c.actor_id = $2 AND c.space_id = a.space_id
      WHERE a.position > coalesce(c.done_through, 0)
        AND NOT EXISTS (SELECT FROM claims WHERE expires_at > clock_timestamp())
      LIMIT 1
    )`

/** Use of a handed-over claim accepts it. */
const ACCEPTED_CLAIM = `, accepted_claim AS (
      UPDATE work_claims SET is_accepted = true
      WHERE tenant_id = $1 AND space_id = ANY ($3) AND claim_id = $9 AND NOT is_accepted
        AND EXISTS (SELECT FROM claims) AND NOT EXISTS (SELECT FROM lost)
        AND (space_id, subject) NOT IN (SELECT space_id, subject FROM finished)
    )`

/** The event of the claim may precede the named events. */
const SENT_CLAIM = `
      UNION SELECT c.space_id, c.subject FROM claims c JOIN asked a USING (space_id)
      JOIN events e ON e.tenant_id = $1 AND e.space_id = c.space_id AND e.position <= a.position
        AND e.event_id = CASE WHEN starts_with(c.subject, 'event:') THEN substr(c.subject, 7)::uuid END`

/**
 * All or none: the rows name what is missing. Each advance of a cursor adds a mark with the outcome of its events. Snoozed
 * items stay, unless they or an answer are named: the cursor stops before the first, and the rest is hidden and delivered.
 */
const doneWith = (claims: boolean) => `
    WITH asked AS MATERIALIZED (
      SELECT a.ordinal, a.space_id, a.event_id, s.space_id IS NOT NULL AS has_space, e.position, e.posted_by = $2 AS is_own, s.head
      FROM unnest($3::text[], $4::uuid[]) WITH ORDINALITY AS a(space_id, event_id, ordinal)
      LEFT JOIN spaces s ON s.tenant_id = $1 AND s.space_id = a.space_id
        AND ${mayReadOf({ actor: '$2', isGuest: '$7' }, '$8')}
      LEFT JOIN events e ON e.tenant_id = $1 AND e.space_id = s.space_id AND e.event_id = a.event_id
    )${claims ? LOCKED_CLAIM : ''}, finished AS MATERIALIZED (
      SELECT space_id, 'event:' || event_id AS subject FROM asked${claims ? SENT_CLAIM : ''}
    )${claims ? ACCEPTED_CLAIM : ''}, through AS MATERIALIZED (
      SELECT space_id, max(position) AS position, max(head) AS head, bool_or(is_own) AS is_answer FROM asked
      WHERE NOT EXISTS (SELECT FROM asked WHERE position IS NULL)${claims ? ' AND NOT EXISTS (SELECT FROM lost)' : ''}
      GROUP BY space_id
    ), released AS (
      UPDATE work_claims c SET expires_at = date_trunc('milliseconds', clock_timestamp()), note = NULL, progress = NULL,
        progress_at = NULL
      FROM finished f
      WHERE c.tenant_id = $1 AND c.space_id = f.space_id AND c.subject = f.subject AND c.holder_id = $2
        AND c.expires_at > clock_timestamp() AND EXISTS (SELECT FROM through)
    ), kept AS MATERIALIZED (
      SELECT space_id, min(z.position) AS first, array_agg(z.position) AS positions
      FROM through t JOIN snoozes z USING (space_id) JOIN attention_heads h USING (tenant_id, actor_id, space_id)
      LEFT JOIN read_cursors r USING (tenant_id, actor_id, space_id)
      WHERE tenant_id = $1 AND actor_id = $2 AND z.position < t.position AND NOT t.is_answer AND ${IS_TIMED}
        AND coalesce(z.until > clock_timestamp(), true) AND (space_id, z.position) NOT IN (SELECT space_id, position FROM asked)
      GROUP BY space_id
    ), marked AS (
      INSERT INTO read_cursors AS c (tenant_id, actor_id, space_id, done_through, delivered_through)
      SELECT $1, $2, space_id, coalesce(first - 1, position), CASE WHEN first IS NULL THEN 0 ELSE position END
      FROM through LEFT JOIN kept USING (space_id) ORDER BY space_id
      ON CONFLICT (tenant_id, actor_id, space_id) DO UPDATE SET done_through = greatest(c.done_through, excluded.done_through),
        delivered_through = greatest(c.delivered_through, excluded.delivered_through)
      WHERE c.done_through < excluded.done_through OR c.delivered_through < excluded.delivered_through
      RETURNING c.space_id, c.done_through AS position
    ), hidden AS (
      INSERT INTO snoozes AS z (tenant_id, actor_id, space_id, position)
      SELECT $1, $2, space_id, a.position FROM through t JOIN kept k USING (space_id) CROSS JOIN LATERAL (
        SELECT position FROM attention
        WHERE tenant_id = $1 AND space_id = t.space_id AND actor_id = $2 AND position > k.first AND position <= t.position OFFSET 0
      ) a
      WHERE a.position <> ALL (positions)
      ON CONFLICT (tenant_id, actor_id, space_id, position) DO UPDATE SET until = NULL, head = NULL WHERE z.head IS NOT NULL
      RETURNING z.space_id
    ), noted AS (
      INSERT INTO done_marks (tenant_id, actor_id, space_id, position, head, outcome, reason)
      SELECT $1, $2, space_id, m.position, head, $5, $6 FROM through JOIN (
        SELECT * FROM marked UNION SELECT space_id, position FROM through JOIN hidden USING (space_id)
      ) m USING (space_id)
      ON CONFLICT DO NOTHING
    )
    SELECT CASE WHEN has_space THEN 'Event' ELSE 'Space' END AS missing
    FROM (SELECT has_space, ordinal FROM asked WHERE position IS NULL ORDER BY has_space, ordinal) m
    ${claims ? "UNION ALL SELECT 'claim' FROM lost" : ''}`

const DONE = { name: 'inbox_done', text: doneWith(false) }

const DONE_WITH_CLAIM = { name: 'inbox_done_with_claim', text: doneWith(true) }

export const doneStore = ({ requests }: StoreContext) => ({
  /**
   * Marks all events through the given ones as done, or none: 404 if an event does not exist, 409 if the claim is lost.
   * Events that are already done stay done, and snoozed ones that are not named stay snoozed.
   */
  async done(
    { tenantId, actorId, isGuest, limits }: Viewer,
    through: readonly Through[],
    { outcome, reason, claim }: DoneWith = {},
  ): Promise<void> {
    const spaceIds = through.map(({ spaceId }) => spaceId)
    const eventIds = through.map(({ eventId }) => asUuid(eventId))
    const held = claim ? [asUuid(claim.claimId), claim.fence] : []
    const { rows } = await requests.query<{ missing: 'Space' | 'Event' | 'claim' }>({
      ...(claim ? DONE_WITH_CLAIM : DONE),
      values: [
        tenantId,
        actorId,
        spaceIds,
        eventIds,
        outcome ?? null,
        reason ?? null,
        isGuest,
        limits.spaceIds,
        ...held,
      ],
    })
    const [refused] = rows
    if (refused) throw refused.missing === 'claim' ? workClaimLost() : unknown(refused.missing)
  },
})
