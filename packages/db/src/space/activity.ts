import { type EventTime, MAX_CLOCK_SKEW_MS, type ReadableSpace } from '@collab-spaces/domain'
import { SHOWN_NAME } from '../access/shown-name.js'
import type { Querier } from '../connection/long-read.js'

/** The activity of one speaker since a given time. */
export interface SpeakerActivity {
  readonly speakerId: string
  /**
   * The actor's name in this tenant if it has joined; otherwise the name in its newest event: the poster's own, or the
   * speaker that the poster claims.
   */
  readonly name: string
  readonly speakerType: string
  readonly isClaimed: boolean
  readonly eventCount: number
  readonly lastEventAt: Date | null
  /** The positions of the newest events, ascending. */
  readonly positions: readonly number[]
  /** The size of each in bytes of JSON. */
  readonly sizes: readonly number[]
  /** The number of events by the index of each equal part of the time window, if requested; without empty parts. */
  readonly counts?: Readonly<Record<number, number>>
}

/** The equal parts of the time window of a digest, which ends now. */
export interface Buckets {
  readonly count: number
  readonly until: Date
}

/**
 * The maximum number of speakers in a digest that never joined, the most recent ones: a poster may attribute to any
 * number of names, and the digest stays in memory while its events are sent.
 */
const MAX_GUESTS = 1_000

/** The time window of a digest, which ends now, and what is read of it. */
export interface ActivityRequest {
  readonly since: Date
  /** The time of an event that counts. */
  readonly by: EventTime
  readonly maxEvents: number
  readonly parts: Buckets | null
}

/**
 * The events of a time window, with the time that counts. No event claims a time long after its own, so the index bounds
 * those whose JSON is read.
 */
const SAID: Readonly<Record<EventTime, string>> = {
  timestamp: `SELECT speaker_id, position, occurred_at AS at FROM events
    WHERE tenant_id = $1 AND space_id = $2 AND occurred_at >= $3`,
  occurred_at: `SELECT * FROM (
    SELECT speaker_id, position, coalesce((wire::json ->> 'occurred_at')::timestamptz, occurred_at) AS at FROM events
    WHERE tenant_id = $1 AND space_id = $2 AND occurred_at >= $3::timestamptz - interval '${MAX_CLOCK_SKEW_MS} ms'
  ) claimed WHERE at >= $3`,
}

/**
 * The digest without its events in one query for any number of participants. The count reads only the time window, and
 * only from an index, so its cost does not grow with the history. The size of an event is known without reading it.
 * Positions are collected unordered, and the newest of each speaker selected afterwards, because sorting by name is slow.
 */
const digestBy = (time: EventTime) => `
WITH said AS (
  SELECT speaker_id, count(*) AS event_count, max(at) AS last_event_at, array_agg(position) AS positions
  FROM (${SAID[time]}) e
  GROUP BY speaker_id
), shown_speakers AS (
  SELECT * FROM said WHERE speaker_id IN (SELECT actor_id FROM participants WHERE tenant_id = $1 AND space_id = $2)
  UNION ALL
  (
    SELECT * FROM said
    WHERE speaker_id NOT IN (SELECT actor_id FROM participants WHERE tenant_id = $1 AND space_id = $2)
    ORDER BY last_event_at DESC, speaker_id LIMIT ${MAX_GUESTS}
  )
), newest AS (
  SELECT s.speaker_id, s.event_count, s.last_event_at, shown.*
  FROM shown_speakers s CROSS JOIN LATERAL (
    SELECT json_agg(e.position ORDER BY e.position) AS positions,
      json_agg(octet_length(e.wire) ORDER BY e.position) AS sizes, max(e.position) AS latest
    FROM (SELECT position FROM unnest(s.positions) AS position ORDER BY position DESC LIMIT $4) AS p
    JOIN events e ON e.tenant_id = $1 AND e.space_id = $2 AND e.position = p.position
  ) shown
)
SELECT coalesce(p.actor_id, n.speaker_id) AS "speakerId",
  coalesce(${SHOWN_NAME}, e.wire::json ->> CASE WHEN e.posted_by = e.speaker_id THEN 'posted_by_name' ELSE 'speaker_name' END)
    AS name,
  coalesce(a.actor_type, e.wire::json ->> CASE WHEN e.posted_by = e.speaker_id THEN 'posted_by_type' ELSE 'speaker_type' END)
    AS "speakerType",
  p.actor_id IS NULL AND e.posted_by <> e.speaker_id AS "isClaimed",
  coalesce(n.event_count, 0) AS "eventCount", n.last_event_at AS "lastEventAt",
  coalesce(n.positions, '[]') AS positions, coalesce(n.sizes, '[]') AS sizes
FROM (SELECT * FROM participants WHERE tenant_id = $1 AND space_id = $2) p
JOIN memberships m USING (tenant_id, actor_id)
JOIN actors a ON a.actor_id = p.actor_id
FULL JOIN newest n ON n.speaker_id = p.actor_id
LEFT JOIN events e ON p.actor_id IS NULL AND e.tenant_id = $1 AND e.space_id = $2 AND e.position = n.latest
ORDER BY p.joined_at NULLS LAST, p.actor_id, n.last_event_at, n.speaker_id`

/** The number of events of each speaker in each part of the time window; later events count in the last part. */
const histogramBy = (time: EventTime) => `
SELECT speaker_id AS "speakerId", json_object_agg(bucket, event_count) AS counts
FROM (
  SELECT speaker_id, least(
    width_bucket(extract(epoch FROM at), extract(epoch FROM $3::timestamptz), extract(epoch FROM $4::timestamptz), $5::int),
    $5::int
  ) - 1 AS bucket, count(*) AS event_count
  FROM (${SAID[time]}) e
  WHERE speaker_id = ANY($6)
  GROUP BY 1, 2
) said
GROUP BY speaker_id`

/** All participants, silent ones too, by time of joining, then up to `MAX_GUESTS` speakers that never joined. */
export async function readActivity(
  connection: Querier,
  space: ReadableSpace,
  { since, by, maxEvents, parts }: ActivityRequest,
): Promise<SpeakerActivity[]> {
  const { rows } = await connection.query<SpeakerActivity>({
    name: `activity by ${by}`,
    text: digestBy(by),
    values: [space.tenantId, space.spaceId, since.toISOString(), maxEvents],
  })
  return parts ? withCounts(connection, space, { since, by }, parts, rows) : rows
}

async function withCounts(
  connection: Querier,
  { tenantId, spaceId }: ReadableSpace,
  { since, by }: Pick<ActivityRequest, 'since' | 'by'>,
  { count, until }: Buckets,
  speakers: readonly SpeakerActivity[],
): Promise<SpeakerActivity[]> {
  const ids = speakers.filter(({ eventCount }) => eventCount > 0).map(({ speakerId }) => speakerId)
  // An empty time window has no parts.
  const isAsked = ids.length > 0 && since < until
  const { rows } = isAsked
    ? await connection.query<Required<Pick<SpeakerActivity, 'speakerId' | 'counts'>>>({
        name: `activity histogram by ${by}`,
        text: histogramBy(by),
        values: [tenantId, spaceId, since.toISOString(), until.toISOString(), count, ids],
      })
    : { rows: [] }
  const counts = new Map(rows.map((row) => [row.speakerId, row.counts]))
  return speakers.map((speaker) => ({ ...speaker, counts: counts.get(speaker.speakerId) ?? {} }))
}
