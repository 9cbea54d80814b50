import type { Decision, Policy } from '@collab-spaces/client'
import type { Account } from '../../shared/session/accounts'
import { decisionTexts } from './texts'

type SettleRules = Policy['settle']
type Settler = Pick<Account, 'actorId' | 'kind'>

/**
 * Returns why an account cannot settle a decision under the current rules of its space and those at its proposal; null
 * if it can. The server checks, too: this only avoids a refused request.
 */
export const settleObstacle = (decision: Decision, now: SettleRules, settler: Settler): string | null =>
  obstacleUnder(now, decision, settler) ?? obstacleUnder(decision.rules_at_proposal, decision, settler)

function obstacleUnder(rules: SettleRules, decision: Decision, { actorId, kind }: Settler): string | null {
  const words = decisionTexts.obstacles
  if (rules.who === 'humans' && kind !== 'human') return words.humans
  if (rules.who === 'named' && !rules.named.includes(actorId)) return words.named
  if (!rules.proposer_may_settle && decision.posted_by === actorId) return words.proposer
  return null
}

/** Returns why a decision cannot be resolved yet; null if it can. Rejecting has no such conditions. */
export function resolveObstacle({ approvals, superseded_by, is_expired }: Decision): string | null {
  const words = decisionTexts.obstacles
  if (superseded_by !== null) return words.superseded
  if (is_expired) return words.expired
  const missing = approvals.required - approvals.given
  return missing > 0 ? words.approvals(missing) : null
}
