import { timestamp } from '@collab-spaces/db'
import type pg from 'pg'
import { rowsOf } from '../rows/rows.js'
import { type CheckedDecision, DecisionHistory } from './decision-history.js'
import type { Problem } from './history.js'
import { SpaceHistory } from './space-history.js'
import { isWhole } from './whole.js'

const GAPS = `
  SELECT tenant_id, space_id, before + 1 AS "from", position - 1 AS "to" FROM (
    SELECT tenant_id, space_id, position,
      lag(position, 1, 0::bigint) OVER (PARTITION BY tenant_id, space_id ORDER BY position) AS before
    FROM decision_acts
  ) a WHERE position <> before + 1 AND ${isWhole('a')}
  ORDER BY tenant_id, space_id, position`

/** Each decision, followed by its acts. */
const HISTORIES = `
  SELECT d.tenant_id, d.space_id, d.decision_id, 0::bigint AS position, NULL AS actor_id,
    json_build_object('proposed_by', proposed_by, 'text', text, 'posted_by', posted_by,
      'created_at', ${timestamp('created_at')}, 'assignees', assignees, 'supersedes', supersedes,
      'review_at', ${timestamp('review_at')}, 'approved_by', approved_by, 'status', status,
      'resolved_by', resolved_by, 'resolved_at', ${timestamp('resolved_at')}, 'resolution', resolution,
      'settled_by', settled_by, 'superseded_by', superseded_by, 'required_approvals', required_approvals,
      'given_approvals', given_approvals, 'approvals_not_counted', approvals_not_counted,
      'rules_at_proposal', rules_at_proposal, 'options', options, 'option', option, 'action', action::json,
      'edit', CASE WHEN edit IS NOT NULL THEN json_build_object('arguments', edit::json, 'digest', digest) END,
      'expires_at', ${timestamp('expires_at')}, 'used_by', used_by, 'used_at', ${timestamp('used_at')},
      'used_digest', CASE WHEN used_at IS NOT NULL THEN digest END)::text AS json
  FROM decisions d WHERE ${isWhole('d')}
  UNION ALL
  SELECT tenant_id, space_id, decision_id, position, actor_id, wire
  FROM decision_acts a WHERE decision_id IS NOT NULL AND ${isWhole('a')}
  ORDER BY 1, 2, 3, 4`

/** The acts about each space itself, with its policy from its rows, under the names in acts. */
const SPACES = `
  SELECT a.tenant_id, a.space_id, a.position, a.actor_id, a.wire, json_build_object(
    'settle', json_build_object('who', p.who, 'named', p.named, 'approvals', p.approvals,
      'independent', p.independent, 'proposer_may_settle', p.proposer_may_settle),
    'loop_guard', json_build_object('total', coalesce(s.guard_total, 0), 'per_agent', coalesce(s.guard_per_agent, 0))
  )::text
  FROM decision_acts a JOIN spaces s USING (tenant_id, space_id) LEFT JOIN space_policies p USING (tenant_id, space_id)
  WHERE a.decision_id IS NULL AND ${isWhole('a')}
  ORDER BY 1, 2, 3`

/**
 * Checks that the acts of each space are gapless, and that those of each decision, and of the policy, replay to its row.
 * Memory holds one decision. Returns the number of acts.
 */
export async function checkActs(
  client: pg.Client,
  report: (problem: Problem) => void,
  signal: AbortSignal,
): Promise<number> {
  const { rows: gaps } = await client.query(GAPS)
  for (const { tenant_id, space_id, from, to } of gaps) {
    const missing = from === to ? `act ${from} is missing` : `acts ${from} to ${to} are missing`
    report({ tenant_id, space_id, problem: missing })
  }
  let acts = 0
  let tell = (_: Iterable<string>) => {}
  let history: DecisionHistory | undefined
  for await (const row of rowsOf(client, HISTORIES)) {
    signal.throwIfAborted()
    const [tenant_id, space_id, decision_id, position, actor_id, json] = row as string[]
    if (position === '0') {
      if (history) tell(history.end())
      history = new DecisionHistory(JSON.parse(json as string) as CheckedDecision)
      tell = (problems) => {
        for (const problem of problems) {
          report({ tenant_id, space_id, problem: `decision ${decision_id}: ${problem}` } as Problem)
        }
      }
    } else {
      acts++
      const columns = { position: Number(position), space_id, decision_id, actor_id } as Record<string, string | number>
      if (history) tell(history.add({ wire: json as string, columns }))
    }
  }
  if (history) tell(history.end())
  return acts + (await checkSpaceActs(client, report, signal))
}

/** Checks the policy of each space against its acts, and returns their number. */
async function checkSpaceActs(
  client: pg.Client,
  report: (problem: Problem) => void,
  signal: AbortSignal,
): Promise<number> {
  let acts = 0
  let history: SpaceHistory | undefined
  for await (const row of rowsOf(client, SPACES)) {
    signal.throwIfAborted()
    const [tenant_id, space_id, position, actor_id, wire, policy] = row as [
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    if (history?.tenant_id !== tenant_id || history.space_id !== space_id) {
      for (const problem of history?.end() ?? []) report(problem)
      history = new SpaceHistory(tenant_id, space_id, JSON.parse(policy) as object)
    }
    acts++
    const columns = { position: Number(position), space_id, decision_id: null, actor_id }
    for (const problem of history.add({ wire, columns })) report(problem)
  }
  for (const problem of history?.end() ?? []) report(problem)
  return acts
}
