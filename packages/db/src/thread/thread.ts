import {
  type ActorType,
  cutText,
  type EventFile,
  isUuid,
  type ReadableSpace,
  unknown,
  type Viewer,
} from '@collab-spaces/domain'
import { accessValues, asReadable, MAY_READ } from '../access/view.js'
import { lockWriter, type Writer } from '../access/writer.js'
import type { Querier } from '../connection/long-read.js'
import type { StoreContext } from '../connection/store-context.js'
import type { Thread } from '../generated/client.js'
import { shownFiles, shownText, shownWire } from '../log/revision.js'
import { lockSpace } from '../space/lock.js'
import type { SpaceRecord } from '../space/record.js'

export type ThreadRecord = Omit<Thread, 'tenantId' | 'postedBy'>

/** A thread and its latest event. */
export interface ActiveThread extends ThreadRecord {
  readonly eventCount: number
  readonly lastEvent: LastEvent | null
}

interface LastEvent {
  readonly eventId: string
  readonly speakerId: string
  readonly speakerName: string
  readonly speakerType: string
  readonly postedBy: string
  readonly postedByName: string
  readonly postedByType: ActorType
  readonly occurredAt: Date
  /** The beginning of its text. */
  readonly excerpt: string
  readonly files: readonly EventFile[]
}

export interface ThreadPage {
  readonly limit: number
  /** The thread id to continue after; null for the first page. */
  readonly after: string | null
  /** The id of the only wanted thread, or of the event or decision that it is about; null for all. */
  readonly about: string | null
}

/** The subject of a thread: one of the two. */
export type ThreadAnchor =
  | { readonly parentEventId: string; readonly decisionId?: never }
  | { readonly parentEventId?: never; readonly decisionId: string }

export interface NewThread {
  readonly threadId: string
  readonly anchor: ThreadAnchor
  readonly subject: string
  readonly postedBy: string
  readonly createdAt: Date
}

export const threadStore = ({ prisma, requests }: StoreContext) => ({
  /**
   * Starts a thread on an event or decision, or returns the existing thread, regardless of the space status. `allow` may
   * throw to reject a new thread. 404 for an unknown space, event or decision.
   */
  async start(
    writer: Writer,
    spaceId: string,
    { anchor, ...thread }: NewThread,
    allow: (space: SpaceRecord) => void,
  ): Promise<ThreadRecord> {
    const { tenantId } = writer
    return prisma.$transaction(async (tx) => {
      await lockWriter(tx, writer)
      const space = await lockSpace(tx, writer, spaceId)
      if (!space) throw unknown('Space')
      const noun = anchor.decisionId === undefined ? 'Parent event' : 'Decision'
      if (!isUuid(anchor.decisionId ?? anchor.parentEventId)) throw unknown(noun)
      const within = { tenantId, spaceId }
      // The space is locked, so no concurrent request can start it.
      const existing = await tx.thread.findFirst({ where: { ...within, ...anchor } })
      if (existing) return existing

      const { parentEventId, decisionId } = anchor
      const count =
        decisionId === undefined
          ? await tx.event.count({ where: { ...within, eventId: parentEventId } })
          : await tx.decision.count({ where: { ...within, decisionId } })
      if (count === 0) throw unknown(noun)
      allow(space)
      return tx.thread.create({ data: { ...thread, ...anchor, ...within } })
    })
  },

  /** Finds a thread by its id, or by that of the event or decision that it is about. */
  async find(viewer: Viewer, spaceId: string, threadOrEventId: string): Promise<(ThreadRecord & ReadableSpace) | null> {
    if (!isUuid(threadOrEventId)) return null
    const { rows } = await requests.query<ThreadRecord>({
      name: 'thread',
      text: `
        SELECT t.thread_id AS "threadId", t.space_id AS "spaceId", t.parent_event_id AS "parentEventId", t.subject,
          t.created_at AS "createdAt", t.decision_id AS "decisionId"
        FROM threads t JOIN spaces s USING (tenant_id, space_id)
        WHERE tenant_id = $1 AND space_id = $2 AND ${MAY_READ}
          AND (t.thread_id = $5 OR t.parent_event_id = $5 OR t.decision_id = $5) LIMIT 1`,
      values: [...accessValues(viewer, spaceId), threadOrEventId],
    })
    return rows[0] ? Object.assign(rows[0], asReadable(viewer, spaceId)) : null
  },
})

/** Maximum length of the excerpt of the newest event, in characters. */
const EXCERPT = 200

/**
 * One index descent finds the newest event of each thread, and one range of the same index counts its events. Writers
 * therefore maintain no data for this list. The cost grows with the number of threads in the space, not with the length
 * of its history.
 */
const THREADS = `
WITH active AS (
  SELECT t.*, n.position, coalesce(n.occurred_at, t.created_at) AS active_at
  FROM threads t LEFT JOIN LATERAL (
    SELECT e.position, e.occurred_at FROM events e
    WHERE e.tenant_id = t.tenant_id AND e.space_id = t.space_id AND e.thread_id = t.thread_id
    ORDER BY e.position DESC LIMIT 1
  ) n ON true
  WHERE t.tenant_id = $1 AND t.space_id = $2
    AND ($5::uuid IS NULL OR $5::uuid IN (t.thread_id, t.parent_event_id, t.decision_id))
), page AS (
  SELECT * FROM active
  WHERE $3::uuid IS NULL
    OR (active_at, thread_id) < (SELECT active_at, thread_id FROM active WHERE thread_id = $3::uuid)
  ORDER BY active_at DESC, thread_id DESC LIMIT $4
)
SELECT p.thread_id AS "threadId", p.space_id AS "spaceId", p.parent_event_id AS "parentEventId", p.subject,
  p.created_at AS "createdAt", p.decision_id AS "decisionId", c.count AS "eventCount", e.event_id AS "eventId", e.speaker_id AS "speakerId",
  j.wire ->> 'speaker_name' AS "speakerName", j.wire ->> 'speaker_type' AS "speakerType", e.posted_by AS "postedBy",
  j.wire ->> 'posted_by_name' AS "postedByName", j.wire ->> 'posted_by_type' AS "postedByType",
  e.occurred_at AS "occurredAt", left(${shownText('j.wire')}, ${EXCERPT} + 1) AS excerpt,
  ${shownFiles('j.wire')} AS files
FROM page p
LEFT JOIN events e ON e.tenant_id = $1 AND e.space_id = $2 AND e.position = p.position
LEFT JOIN LATERAL (SELECT (${shownWire('e')})::jsonb AS wire OFFSET 0) j ON true
CROSS JOIN LATERAL (
  SELECT count(*) FROM events e WHERE e.tenant_id = $1 AND e.space_id = $2 AND e.thread_id = p.thread_id
) c
ORDER BY p.active_at DESC, p.thread_id DESC`

type ThreadRow = ThreadRecord & Pick<ActiveThread, 'eventCount'> & (LastEvent | Record<keyof LastEvent, null>)

/** The threads of a space by latest activity, newest first. For a thread without events, its creation counts. */
export async function readThreads(
  connection: Querier,
  { tenantId, spaceId }: ReadableSpace,
  { limit, after, about }: ThreadPage,
): Promise<ActiveThread[]> {
  if (about !== null && !isUuid(about)) return []
  const { rows } = await connection.query<ThreadRow>({
    name: 'threads',
    text: THREADS,
    values: [tenantId, spaceId, after, limit, about],
  })
  return rows.map(activeThread)
}

const activeThread = ({
  threadId,
  spaceId,
  parentEventId,
  subject,
  createdAt,
  decisionId,
  eventCount,
  ...last
}: ThreadRow) => ({
  ...{ threadId, spaceId, parentEventId, subject, createdAt, decisionId, eventCount },
  lastEvent: last.eventId === null ? null : { ...last, excerpt: cutText(last.excerpt, EXCERPT) },
})
