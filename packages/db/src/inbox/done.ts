import { asUuid, type DoneOutcome, type HeldClaim, unknown, type Viewer, workClaimLost } from '@collab-spaces/domain'
import { mayReadOf } from '../access/view.js'
import type { StoreContext } from '../connection/store-context.js'

/** The last event of a space that is done. */
export interface Through {
  readonly spaceId: string
  readonly eventId: string
}

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

/** Releases the actor's claims on done events. */
const released = (claims: boolean) => `, released AS (
      UPDATE work_claims c SET expires_at = date_trunc('milliseconds', clock_timestamp()), note = NULL, progress = NULL,
        progress_at = NULL
      FROM finished f
      WHERE c.tenant_id = $1 AND c.space_id = f.space_id AND c.subject = f.subject AND c.holder_id = $2
        AND c.expires_at > clock_timestamp()
        AND NOT EXISTS (SELECT FROM asked WHERE position IS NULL)${claims ? ' AND NOT EXISTS (SELECT FROM lost)' : ''}
    )`

/** All or none: the rows name what is missing. Each advance of a cursor adds a mark with the outcome of its events. */
const doneWith = (claims: boolean) => `
    WITH asked AS MATERIALIZED (
      SELECT a.ordinal, a.space_id, a.event_id, s.space_id IS NOT NULL AS has_space, e.position, s.head
      FROM unnest($3::text[], $4::uuid[]) WITH ORDINALITY AS a(space_id, event_id, ordinal)
      LEFT JOIN spaces s ON s.tenant_id = $1 AND s.space_id = a.space_id
        AND ${mayReadOf({ actor: '$2', isGuest: '$7' }, '$8')}
      LEFT JOIN events e ON e.tenant_id = $1 AND e.space_id = s.space_id AND e.event_id = a.event_id
    )${claims ? LOCKED_CLAIM : ''}, finished AS MATERIALIZED (
      SELECT space_id, 'event:' || event_id AS subject FROM asked${claims ? SENT_CLAIM : ''}
    )${claims ? ACCEPTED_CLAIM : ''}${released(claims)}, marked AS (
      INSERT INTO read_cursors AS c (tenant_id, actor_id, space_id, done_through)
      SELECT $1, $2, space_id, max(position) FROM asked
      WHERE NOT EXISTS (SELECT FROM asked WHERE position IS NULL)${claims ? ' AND NOT EXISTS (SELECT FROM lost)' : ''}
      GROUP BY space_id ORDER BY space_id
      ON CONFLICT (tenant_id, actor_id, space_id) DO UPDATE SET done_through = excluded.done_through
      WHERE c.done_through < excluded.done_through
      RETURNING c.space_id, c.done_through AS position
    ), noted AS (
      INSERT INTO done_marks (tenant_id, actor_id, space_id, position, head, outcome, reason)
      SELECT DISTINCT $1::uuid, $2, m.space_id, m.position, a.head, $5, $6
      FROM marked m JOIN asked a USING (space_id, position)
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
   * Events that are already done stay done.
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
