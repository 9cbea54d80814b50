import type { TenantId } from '@collab-spaces/domain'
import type pg from 'pg'
import type { StoreContext } from '../connection/store-context.js'
import { SIZES_OF_FILES } from './file-bytes.js'
import { IS_COUNTED } from './quota.js'

/** The belongings of an actor: all that lives. */
export interface ActorUsage {
  readonly agents: number
  readonly tokens: number
}

export interface TenantUsage {
  readonly members: number
  readonly agents: number
  readonly tokens: number
  readonly spaces: number
  readonly events: number
  /** Of the events' JSON. */
  readonly eventBytes: number
  /** Whether `eventBytes` was extrapolated from a sample. */
  readonly isEstimated: boolean
  /** Of the contents of its files, each counted once, and of the pictures of its actors. */
  readonly fileBytes: number
}

/** The limit of events sampled for their size. */
const MAX_SIZED = 10_000

const OF_ACTOR = `
  SELECT
    (SELECT count(*) FROM actors WHERE sponsor_id = $1 AND deleted_at IS NULL) AS agents,
    (SELECT count(*) FROM personal_access_tokens t JOIN actors o USING (actor_id)
      WHERE (o.actor_id = $1 OR o.sponsor_id = $1) AND ${IS_COUNTED}) AS tokens`

const MAX_USAGE_OF_HUMANS = `
  SELECT coalesce(max((SELECT count(*) FROM actors g WHERE g.sponsor_id = a.actor_id AND g.deleted_at IS NULL)), 0)::int8
      AS agents,
    coalesce(max((SELECT count(*) FROM personal_access_tokens t JOIN actors o USING (actor_id)
      WHERE (o.actor_id = a.actor_id OR o.sponsor_id = a.actor_id) AND ${IS_COUNTED})), 0)::int8 AS tokens
  FROM actors a WHERE a.tenant_id = $1 AND a.actor_type = 'human' AND a.deleted_at IS NULL`

const PEOPLE = `
  SELECT count(*) FILTER (WHERE actor_type = 'human') AS members, count(*) FILTER (WHERE actor_type = 'agent') AS agents,
    coalesce(sum((SELECT count(*) FROM personal_access_tokens t WHERE t.actor_id = a.actor_id AND ${IS_COUNTED})),
      0)::int8 AS tokens
  FROM memberships m JOIN actors a ON a.actor_id = m.actor_id AND a.tenant_id = m.tenant_id AND a.deleted_at IS NULL
  WHERE m.tenant_id = $1`

/**
 * Positions are gapless, so every n-th event of the tenant can be named, and found by its key. The order makes PostgreSQL
 * use that key: without statistics, it took an index of which only the space is of use, and read the space per event.
 */
const CONTENTS = `
  WITH runs AS (
    SELECT space_id, head, sum(head) OVER (ORDER BY space_id)::int8 - head AS before FROM spaces WHERE tenant_id = $1
  ), total AS (
    SELECT count(*) AS spaces, coalesce(sum(head), 0)::int8 AS events,
      greatest(1, ceil(coalesce(sum(head), 0) / $2::numeric))::int8 AS step
    FROM runs
  ), sizes AS (
    SELECT (SELECT octet_length(wire) FROM events
            WHERE tenant_id = $1 AND space_id = runs.space_id AND position >= sampled
            ORDER BY position LIMIT 1) AS size
    FROM runs, total, generate_series(step - before % step, head, step) AS sampled
  )
  SELECT spaces, events, coalesce(round((SELECT avg(size) FROM sizes) * events), 0)::int8 AS "eventBytes",
    step > 1 AS "isEstimated",
    (SELECT coalesce(sum(size), 0)::int8 FROM (${SIZES_OF_FILES}) f WHERE tenant_id = $1) AS "fileBytes"
  FROM total`

const EVENTS_SINCE = `
  SELECT coalesce(sum((SELECT count(*) FROM events e
    WHERE e.tenant_id = s.tenant_id AND e.space_id = s.space_id AND e.occurred_at >= $2)), 0)::int8 AS events
  FROM spaces s WHERE s.tenant_id = $1 AND s.last_event_at >= $2`

type People = Pick<TenantUsage, 'members' | 'agents' | 'tokens'>
type Contents = Omit<TenantUsage, keyof People>

export const usageStore = ({ long }: StoreContext) => ({
  ofActor: async (actorId: string): Promise<ActorUsage> => onlyRow(await long.query<ActorUsage>(OF_ACTOR, [actorId])),
  /** The most agents and valid tokens that any human of a tenant has. */
  maxUsageOfHumans: async (tenantId: TenantId): Promise<ActorUsage> =>
    onlyRow(await long.query<ActorUsage>(MAX_USAGE_OF_HUMANS, [tenantId])),
  /**
   * Costs a row for each actor and space of the tenant. Events are counted by their spaces' heads; beyond 10,000, their
   * size is that of a sample of 5,000 or more, spread evenly over all of them.
   */
  ofTenant: async (tenantId: TenantId): Promise<TenantUsage> => ({
    ...onlyRow(await long.query<People>(PEOPLE, [tenantId])),
    ...onlyRow(await long.query<Contents>(CONTENTS, [tenantId, MAX_SIZED])),
  }),
  /** How many events a tenant has written since a time: a row of an index for each. */
  eventsSince: async (tenantId: TenantId, since: Date): Promise<number> =>
    onlyRow(await long.query<{ events: number }>(EVENTS_SINCE, [tenantId, since.toISOString()])).events,
})

function onlyRow<Row extends pg.QueryResultRow>({ rows: [row] }: pg.QueryResult<Row>): Row {
  if (!row) throw new Error('an aggregate gave no row')
  return row
}
