import type { Policy } from '@collab-spaces/client'
import { rulesInWords } from '../decision/right'
import { texts } from '../texts'

/** A policy in a few sentences. */
export const policyInWords = (
  { settle, loop_guard }: Pick<Policy, 'settle' | 'loop_guard'>,
  nameOf: (actorId: string) => string,
): string => `${rulesInWords(settle, nameOf)} ${guardInWords(loop_guard)}`.trimEnd()

function guardInWords({ total, per_agent }: Policy['loop_guard']): string {
  const { guard } = texts.policy
  if (total > 0 && per_agent > 0) return guard.both(total, per_agent)
  if (total > 0) return guard.total(total)
  return per_agent > 0 ? guard.perAgent(per_agent) : ''
}
