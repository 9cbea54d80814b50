import { invalid } from './errors.js'
import { MalformedValue, storedObject, storedOneOf, storedStrings } from './json.js'
import type { LoopGuard } from './loop-guard.js'

/** The actors that may settle the decisions of a space: anyone in its tenant, its humans, or those that it names. */
export const SETTLERS = ['anyone', 'humans', 'named'] as const
export type Settlers = (typeof SETTLERS)[number]

/** The rules by which decisions of a space are settled. */
export interface SettleRules {
  readonly who: Settlers
  /** Ids of actors. They matter where `who` is `named`. */
  readonly named: readonly string[]
  /** How many approvals a decision needs before it can be resolved. */
  readonly approvals: number
  /** Whether approvals are counted by the humans behind the actors. */
  readonly independent: boolean
  readonly proposerMaySettle: boolean
}

/** The rules in the form of the API, which the log of acts keeps. */
export const shownRules = ({ who, named, approvals, independent, proposerMaySettle }: SettleRules) => ({
  who,
  named: [...named],
  approvals,
  independent,
  proposer_may_settle: proposerMaySettle,
})

/** Reads the rules back from their form in the API. Throws a `MalformedValue`. */
export function rulesFrom(shown: unknown): SettleRules {
  const { who, named, approvals, independent, proposer_may_settle: proposerMaySettle } = storedObject(shown)
  if (!Number.isSafeInteger(approvals) || (approvals as number) < 0) {
    throw new MalformedValue('approvals must be a whole number')
  }
  if (typeof independent !== 'boolean' || typeof proposerMaySettle !== 'boolean') {
    throw new MalformedValue('independent and proposer_may_settle must be booleans')
  }
  return {
    who: storedOneOf(who, SETTLERS),
    named: storedStrings(named),
    approvals: approvals as number,
    independent,
    proposerMaySettle,
  }
}

export interface Policy {
  readonly settle: SettleRules
  readonly loopGuard: LoopGuard
}

/** A policy in the form of the API, which the log of acts and the security log keep. */
export const shownPolicy = ({ settle, loopGuard }: Policy) => ({
  settle: shownRules(settle),
  loop_guard: { total: loopGuard.total, per_agent: loopGuard.perAgent },
})

/** An undefined field stays as it is. */
export interface PolicyChange {
  readonly settle?: { readonly [Rule in keyof SettleRules]?: SettleRules[Rule] | undefined } | undefined
  readonly loopGuard?: { readonly [Limit in keyof LoopGuard]?: LoopGuard[Limit] | undefined } | undefined
}

/** The policy of a space without its own. */
export const DEFAULT_POLICY: Policy = {
  settle: { who: 'anyone', named: [], approvals: 0, independent: false, proposerMaySettle: true },
  loopGuard: { total: 0, perAgent: 0 },
}

/** The loop guard of a conversation with several agents: without one, each answer would wake the other agents for ever. */
const CONVERSATION_GUARD: LoopGuard = { total: 200, perAgent: 50 }

/** Returns the policy that a conversation begins with. */
export const policyOfConversation = (agents: number): Policy =>
  agents > 1 ? { ...DEFAULT_POLICY, loopGuard: CONVERSATION_GUARD } : DEFAULT_POLICY

/** Returns the policy after a change. 400 for one under which no actor could settle a decision. */
export function changedPolicy({ settle, loopGuard }: Policy, change: PolicyChange): Policy {
  const changed = {
    settle: {
      who: change.settle?.who ?? settle.who,
      named: [...new Set(change.settle?.named ?? settle.named)],
      approvals: change.settle?.approvals ?? settle.approvals,
      independent: change.settle?.independent ?? settle.independent,
      proposerMaySettle: change.settle?.proposerMaySettle ?? settle.proposerMaySettle,
    },
    loopGuard: {
      total: change.loopGuard?.total ?? loopGuard.total,
      perAgent: change.loopGuard?.perAgent ?? loopGuard.perAgent,
    },
  }
  if (changed.settle.who === 'named' && changed.settle.named.length === 0) {
    throw invalid('settle.named', 'must name at least one actor if who is named')
  }
  return changed
}
