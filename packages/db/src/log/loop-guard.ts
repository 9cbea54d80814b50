/**
 * The parts of the statement for appends that are about loop guards, in spaces that have one. How many events each agent
 * has posted since a human last did is in the row of the space: under its lock the counts are exact, whichever server
 * writes, and nothing else has to be read.
 */

/**
 * The judgement of the guards on appends that are admissible otherwise. Several events of a space are judged in their
 * order: one by a human ends the run, and one that is refused does not count. So an agent's own limit comes first, and
 * that of all agents counts what the first has let through.
 */
export const JUDGED_BY_GUARDS = `), in_runs AS (
  SELECT a.*, a.by_agent AND a.agent_runs IS NOT NULL AND a.outcome = 'accepted' AS is_guarded,
    count(*) FILTER (WHERE a.outcome = 'accepted' AND NOT a.by_agent)
      OVER (PARTITION BY a.tenant_id, a.space_id ORDER BY a.item) AS humans
  FROM admissible a
), within_own AS (
  SELECT r.*, r.is_guarded AND NOT (r.guard_per_agent > 0 AND r.guard_per_agent <
      CASE WHEN r.humans = 0 THEN coalesce((r.agent_runs ->> r.posted_by)::int, 0) ELSE 0 END
      + row_number() OVER (PARTITION BY r.tenant_id, r.space_id, r.humans, r.posted_by, r.is_guarded ORDER BY r.item)
    ) AS is_within_own
  FROM in_runs r
), within_both AS (
  SELECT w.*, w.is_within_own AND NOT (w.guard_total > 0 AND w.guard_total <
      CASE WHEN w.humans = 0
        THEN coalesce((SELECT sum(events::int) FROM jsonb_each_text(w.agent_runs) AS e(agent, events)), 0) ELSE 0 END
      + row_number() OVER (PARTITION BY w.tenant_id, w.space_id, w.humans, w.is_within_own ORDER BY w.item)
    ) AS is_within_both
  FROM within_own w
), judged AS MATERIALIZED (
  SELECT b.item, b.tenant_id, b.space_id, b.posted_by, b.by_agent, b.head, b.visibility, b.earlier_wire, b.humans,
    CASE WHEN b.is_guarded AND NOT b.is_within_both THEN 'loop_guard' ELSE b.outcome END AS outcome,
    CASE WHEN b.is_within_own THEN 'space' ELSE 'agent' END AS guard_scope,
    CASE WHEN b.is_within_own THEN b.guard_total ELSE b.guard_per_agent END AS guard_limit
  FROM within_both b
`

/**
 * The heads of the spaces, with what each agent has posted since the last human among the new events, or since the one
 * before them. Not a query of its own within the update, which would see rows as they were when the statement began.
 */
export const RUNS = `), last_run AS (
  SELECT tenant_id, space_id, max(position) AS head, max(humans) AS humans FROM numbered GROUP BY tenant_id, space_id
), runs AS (
  SELECT r.tenant_id, r.space_id, r.head, CASE WHEN l.agent_runs IS NOT NULL THEN coalesce((
    SELECT jsonb_object_agg(agent, events) FROM (
      SELECT agent, sum(events) AS events FROM (
        SELECT agent, events::int FROM jsonb_each_text(l.agent_runs) AS e(agent, events) WHERE r.humans = 0
        UNION ALL
        SELECT n.posted_by, 1 FROM numbered n
        WHERE n.tenant_id = r.tenant_id AND n.space_id = r.space_id AND n.humans = r.humans AND n.by_agent
      ) AS counted(agent, events) GROUP BY agent
    ) AS summed
  ), '{}') END AS agent_runs
  FROM last_run r JOIN locked l USING (tenant_id, space_id)
`
