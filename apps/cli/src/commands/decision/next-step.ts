import type { Actor, Decision, Policy } from '@collab-spaces/client'
import { type Names, nameOf } from '../../show/participant.js'

/** The next step for the proposer of a decision, by the rules of its space. */
export function nextStep(
  { space_id, decision_id, approvals }: Decision,
  { settle }: Policy,
  proposer: Pick<Actor, 'actor_id' | 'actor_type'>,
  names: Names,
): string {
  const obstacle = obstacleOf(settle, proposer, names)
  if (obstacle) return `${obstacle}. Wait until it is settled: spaces decision show ${space_id} ${decision_id} --wait`
  const missing = approvals.required - approvals.given
  const resolve = `spaces decision resolve ${space_id} ${decision_id}`
  if (missing <= 0) return `Resolve it: ${resolve}`
  return `It needs ${missing} ${missing === 1 ? 'approval' : 'approvals'} of others: spaces decision approve ${space_id} ${decision_id}\nThen resolve it: ${resolve}`
}

/** Why the proposer may not settle the decision; null if it may. */
function obstacleOf(
  { who, named, proposer_may_settle }: Policy['settle'],
  { actor_id, actor_type }: Pick<Actor, 'actor_id' | 'actor_type'>,
  names: Names,
): string | null {
  if (who === 'humans' && actor_type !== 'human') return 'Only humans may settle decisions here'
  if (who === 'named' && !named.includes(actor_id))
    return `Only ${named.map((settler) => nameOf(names, settler)).join(', ')} may settle decisions here`
  return proposer_may_settle ? null : 'The proposer of a decision may not settle it here'
}
