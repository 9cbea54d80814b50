import type { Policy } from '@collab-spaces/client'
import { policyTexts } from './texts'

type SettleRules = Policy['settle']

/** Returns the settle rules of a space in words. */
export function rulesInWords(rules: SettleRules, nameOf: (actorId: string) => string): string {
  const words = policyTexts
  const who = rules.who === 'named' ? words.named(rules.named.map(nameOf)) : words.settlers[rules.who]
  const approvals = rules.approvals > 0 ? words.needs(rules.approvals, rules.independent) : words.needsNone
  return [who, approvals, ...(rules.proposer_may_settle ? [] : [words.notProposer])].join(' ')
}

/** Returns a policy in words. */
export const policyInWords = (
  { settle, loop_guard }: Pick<Policy, 'settle' | 'loop_guard'>,
  nameOf: (actorId: string) => string,
): string => `${rulesInWords(settle, nameOf)} ${guardInWords(loop_guard)}`.trimEnd()

function guardInWords({ total, per_agent }: Policy['loop_guard']): string {
  const { guard } = policyTexts
  if (total > 0 && per_agent > 0) return guard.both(total, per_agent)
  if (total > 0) return guard.total(total)
  return per_agent > 0 ? guard.perAgent(per_agent) : ''
}
