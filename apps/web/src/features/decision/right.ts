import type { Decision, Policy } from '@collab-spaces/client'
import type { Account } from '../../shared/session/accounts'
import { decisionTexts } from './texts'

type SettleRules = Policy['settle']
type Settler = Pick<Account, 'actorId' | 'kind'>

/**
 * Why somebody cannot settle a decision under the rules that its space has now, and had when it was proposed; null if
 * nothing is in the way. The server judges for itself: this only spares people a refusal.
 */
export const whyNotSettle = (decision: Decision, now: SettleRules, settler: Settler): string | null =>
  whyNotUnder(now, decision, settler) ?? whyNotUnder(decision.rules_at_proposal, decision, settler)

function whyNotUnder(rules: SettleRules, decision: Decision, { actorId, kind }: Settler): string | null {
  const words = decisionTexts.hindrances
  if (rules.who === 'humans' && kind !== 'human') return words.humans
  if (rules.who === 'named' && !rules.named.includes(actorId)) return words.named
  if (!rules.proposer_may_settle && decision.posted_by === actorId) return words.proposer
  return null
}

/** Why a decision cannot be resolved yet. Rejecting needs neither approvals nor a free place to succeed to. */
export function whyNotResolve({ approvals, superseded_by }: Decision): string | null {
  const words = decisionTexts.hindrances
  if (superseded_by !== null) return words.superseded
  const missing = approvals.required - approvals.given
  return missing > 0 ? words.approvals(missing) : null
}
