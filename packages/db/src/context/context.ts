import {
  type Author,
  type ContextMaterial,
  type DecisionExcerpt,
  type EventExcerpt,
  type ReadableSpace,
  type TenantId,
  unknown,
  type Viewer,
  type WorkClaimExcerpt,
} from '@collab-spaces/domain'
import { authorOf, spokenOf } from '../access/shown-name.js'
import { accessValues, asReadable, MAY_READ } from '../access/view.js'
import type { Querier } from '../connection/long-read.js'
import { IS_IN_FORCE, IS_WAITING } from '../decision/condition.js'
import { shownFiles, shownText, shownWireAlone } from '../log/revision.js'
import { IS_LIVE } from '../work-claim/work-claim.js'

/** A request for the context of a space, with its bounds. */
export interface ContextRequest {
  /** An event to include with its ancestors. */
  readonly focus: string | null
  /** The positions of further events to include. */
  readonly matches: readonly number[] | null
  /** The maximum number of recent events. */
  readonly maxEvents: number
  /** The maximum length of each text, in characters. */
  readonly maxExcerpt: number
  /** The approximate maximum of all excerpts of recent events, in bytes. */
  readonly maxBytes: number
}

/** The maximum number of decisions of each status. */
const MAX_DECISIONS = 50
/** The maximum number of claims. */
const MAX_CLAIMS = 50
/** The maximum number of ancestors. */
const MAX_ANCESTORS = 10

/**
 * Reads the context of a space in a few statements, each bounded in rows. 404 for an unknown space or focus event.
 */
export async function readContext(
  connection: Querier,
  viewer: Viewer,
  spaceId: string,
  { focus, matches, maxEvents, maxExcerpt, maxBytes }: ContextRequest,
): Promise<{ readonly readable: ReadableSpace; readonly material: ContextMaterial }> {
  const space = await readSpace(connection, viewer, spaceId)
  if (!space) throw unknown('Space')
  const { tenantId } = viewer
  const focused = focus === null ? null : await readFocus(connection, tenantId, spaceId, focus, maxExcerpt)
  if (focused?.length === 0) throw unknown('Event')
  const decisions = (name: string, condition: string) =>
    readDecisions(connection, tenantId, spaceId, { name, condition }, maxExcerpt)
  const material = {
    space,
    inForce: await decisions('context_in_force', IS_IN_FORCE),
    open: await decisions('context_open', IS_WAITING),
    matches: matches && (await readMatches(connection, tenantId, spaceId, matches, maxExcerpt)),
    focus: focused,
    claims: await readClaims(connection, tenantId, spaceId),
    newest: await readNewest(connection, tenantId, spaceId, space.head, { maxEvents, maxExcerpt, maxBytes }),
  }
  return { readable: asReadable(viewer, spaceId), material }
}

async function readSpace(
  connection: Querier,
  viewer: Viewer,
  spaceId: string,
): Promise<ContextMaterial['space'] | undefined> {
  const { rows } = await connection.query<Omit<ContextMaterial['space'], 'startedAt'> & { startedAt: Date }>({
    name: 'context_space',
    text: `SELECT space_id AS "spaceId", title, description, status, started_at AS "startedAt", head
           FROM spaces s WHERE tenant_id = $1 AND space_id = $2 AND ${MAY_READ}`,
    values: [...accessValues(viewer, spaceId)],
  })
  return rows.map(({ startedAt, ...space }) => ({ ...space, startedAt: startedAt.toISOString() }))[0]
}

/** The excerpt of a text, and the length of the text. */
const excerptOf = (text: string) => `json_build_object('text', left(${text}, $3), 'length', length(${text}))`

type EventRow = Omit<EventExcerpt, 'at'> & { readonly at: Date }

/** The fields of events in a context, from rows of position, event_id, occurred_at and wire. */
const excerptsOf = (events: string, order: string) => `
  SELECT e.position, e.event_id AS "eventId",
    coalesce((j.wire ->> 'occurred_at')::timestamptz, e.occurred_at) AS at,
    ${spokenOf('j.wire')} AS spoken,
    j.wire ->> 'parent_event_id' AS "parentEventId", j.wire ->> 'thread_id' AS "threadId",
    ${excerptOf(shownText('j.wire'))} AS text,
    ${shownFiles('j.wire')} AS files,
    j.wire ->> 'corrects' AS corrects, j.wire ->> 'retracts' AS retracts,
    j.wire ->> 'corrected_by' AS "correctedBy", j.wire ->> 'retracted_by' AS "retractedBy"
  FROM (${events}) e
  CROSS JOIN LATERAL (SELECT (${shownWireAlone('e')})::jsonb AS wire OFFSET 0) j
  ORDER BY ${order}`

const eventOf = ({ at, ...event }: EventRow): EventExcerpt => Object.assign(event, { at: at.toISOString() })

/** Events in the order of the given positions. */
async function readMatches(
  connection: Querier,
  tenantId: TenantId,
  spaceId: string,
  positions: readonly number[],
  maxExcerpt: number,
): Promise<EventExcerpt[]> {
  if (positions.length === 0) return []
  const { rows } = await connection.query<EventRow>({
    name: 'context_matches',
    text: excerptsOf(
      `SELECT e.*, item FROM unnest($4::int8[]) WITH ORDINALITY AS i(position, item)
       JOIN events e ON e.tenant_id = $1 AND e.space_id = $2 AND e.position = i.position`,
      'e.item',
    ),
    values: [tenantId, spaceId, maxExcerpt, positions],
  })
  return rows.map(eventOf)
}

/**
 * An event and its ancestors, by parent or by the parent of the thread; oldest first. Empty for an unknown event.
 */
async function readFocus(
  connection: Querier,
  tenantId: TenantId,
  spaceId: string,
  eventId: string,
  maxExcerpt: number,
): Promise<EventExcerpt[]> {
  const { rows } = await connection.query<EventRow>({
    name: 'context_focus',
    text: `
      WITH RECURSIVE chain AS (
        SELECT e.*, 0 AS depth FROM events e WHERE tenant_id = $1 AND space_id = $2 AND event_id = $4
        UNION ALL
        SELECT e.*, depth + 1 FROM chain c
        JOIN events e ON e.tenant_id = $1 AND e.space_id = $2 AND e.position < c.position AND e.event_id = coalesce(
          (c.wire::json ->> 'parent_event_id')::uuid,
          (SELECT t.parent_event_id FROM threads t
           WHERE t.tenant_id = $1 AND t.space_id = $2 AND t.thread_id = c.thread_id))
        WHERE depth < ${MAX_ANCESTORS}
      )
      ${excerptsOf('SELECT * FROM chain', 'e.position')}`,
    values: [tenantId, spaceId, maxExcerpt, eventId],
  })
  return rows.map(eventOf)
}

/** The newest events within the limits, oldest first. `octet_length` does not detoast their texts. */
async function readNewest(
  connection: Querier,
  tenantId: TenantId,
  spaceId: string,
  head: number,
  { maxEvents, maxExcerpt, maxBytes }: Pick<ContextRequest, 'maxEvents' | 'maxExcerpt' | 'maxBytes'>,
): Promise<EventExcerpt[]> {
  const { rows } = await connection.query<EventRow>({
    name: 'context_newest',
    text: excerptsOf(
      `SELECT * FROM (
         SELECT *, sum(size) OVER (ORDER BY position DESC ROWS UNBOUNDED PRECEDING) - size AS newer_bytes FROM (
           SELECT *, least(octet_length(wire), $3) AS size FROM events
           WHERE tenant_id = $1 AND space_id = $2 AND position <= $4 ORDER BY position DESC LIMIT $5
         ) e
       ) e WHERE newer_bytes < $6`,
      'e.position',
    ),
    values: [tenantId, spaceId, maxExcerpt, head, maxEvents, maxBytes],
  })
  return rows.map(eventOf)
}

interface ClaimRow extends Omit<WorkClaimExcerpt, 'until' | 'words'> {
  readonly until: Date
  readonly note: string | null
  readonly progress: string | null
}

/** The newest live claims, oldest first. */
async function readClaims(connection: Querier, tenantId: TenantId, spaceId: string): Promise<WorkClaimExcerpt[]> {
  const { rows } = await connection.query<ClaimRow>({
    name: 'context_claims',
    text: `
      SELECT c.claim_id AS "claimId", c.subject, ${authorOf('c.holder_id')} AS holder, c.expires_at AS until, c.note, c.progress
      FROM (
        SELECT * FROM work_claims c WHERE c.tenant_id = $1 AND c.space_id = $2 AND ${IS_LIVE}
          AND EXISTS (SELECT FROM memberships m WHERE m.tenant_id = $1 AND m.actor_id = c.holder_id)
        ORDER BY c.claimed_at DESC, c.claim_id DESC LIMIT ${MAX_CLAIMS}
      ) c
      ORDER BY c.claimed_at, c.claim_id`,
    values: [tenantId, spaceId],
  })
  return rows.map(({ claimId, subject, holder, until, note, progress }) => ({
    claimId,
    subject,
    holder,
    until: until.toISOString(),
    words: [note, progress].filter((text) => text !== null),
  }))
}

interface DecisionRow {
  readonly decisionId: string
  readonly proposedAt: Date
  readonly proposer: Author
  readonly proposedBy: string
  readonly text: DecisionExcerpt['text']
  readonly settledAt: Date | null
  readonly settler: Author | null
  readonly settledBy: string | null
  readonly resolution: DecisionExcerpt['text']
}

/** The newest decisions, oldest first. */
async function readDecisions(
  connection: Querier,
  tenantId: TenantId,
  spaceId: string,
  { name, condition }: { readonly name: string; readonly condition: string },
  maxExcerpt: number,
): Promise<DecisionExcerpt[]> {
  const { rows } = await connection.query<DecisionRow>({
    name,
    text: `
      SELECT d.decision_id AS "decisionId", d.created_at AS "proposedAt", ${authorOf('d.posted_by')} AS proposer,
        d.proposed_by AS "proposedBy", ${excerptOf('d.text')} AS text, d.resolved_at AS "settledAt",
        ${authorOf('d.settled_by')} AS settler,
        d.resolved_by AS "settledBy", ${excerptOf("coalesce(d.resolution, '')")} AS resolution
      FROM (
        SELECT * FROM decisions d WHERE tenant_id = $1 AND space_id = $2 AND ${condition}
        ORDER BY created_at DESC, decision_id DESC LIMIT ${MAX_DECISIONS}
      ) d
      ORDER BY d.created_at, d.decision_id`,
    values: [tenantId, spaceId, maxExcerpt],
  })
  return rows.map(decisionOf)
}

const decisionOf = ({ proposedAt, settledAt, settler, settledBy, resolution, ...row }: DecisionRow) =>
  Object.assign(row, {
    proposedAt: proposedAt.toISOString(),
    settlement: settledAt && { at: settledAt.toISOString(), settler, settledBy: settledBy ?? '', resolution },
  })
