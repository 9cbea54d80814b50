import type { Policy } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { fields } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'
import { type Names, nameOf } from './participant.js'

export const SETTLERS = ['anyone', 'humans', 'named'] as const

/** The rules for settling decisions, by name. */
export const settlingRules = (settle: Policy['settle'], names: Names) =>
  [
    ['settled by', settlersOf(settle, names)],
    ['approvals', approvalsOf(settle)],
  ] as const

/** All rules of a policy. */
export const rulesOf = ({ settle, loop_guard }: Pick<Policy, 'settle' | 'loop_guard'>, names: Names) =>
  [...settlingRules(settle, names), ['loop guard', guardOf(loop_guard)]] as const

export const onePolicy = (policy: Policy, names: Names, style: Style): Text =>
  fields(style, [
    ['space', style.bold(policy.space_id)],
    ...rulesOf(policy, names),
    ['changed', policy.changed_by && `${relativeTime(policy.changed_at)} by ${nameOf(names, policy.changed_by)}`],
  ])

function settlersOf({ who, named, proposer_may_settle }: Policy['settle'], names: Names): string {
  const settlers = who === 'named' ? named.map((actor) => nameOf(names, actor)).join(', ') : who
  return proposer_may_settle ? settlers : `${settlers}, but not the proposer`
}

const approvalsOf = ({ approvals, independent }: Policy['settle']) =>
  approvals === 0
    ? 'none needed'
    : `${approvals} by others than the proposer${independent ? ', one of each human and their agents' : ''}`

function guardOf({ total, per_agent }: Policy['loop_guard']): string {
  const limits = [per_agent > 0 && `${per_agent} by each agent`, total > 0 && `${total} by all agents`].filter(Boolean)
  return limits.length === 0 ? 'off' : `${limits.join(', ')}, until a human posts`
}
