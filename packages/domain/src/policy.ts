import { invalid } from './errors.js'
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

/** Reads the rules back from their form in the API. */
export const rulesFrom = (shown: ReturnType<typeof shownRules>): SettleRules => ({
  who: shown.who,
  named: shown.named,
  approvals: shown.approvals,
  independent: shown.independent,
  proposerMaySettle: shown.proposer_may_settle,
})

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

/** Of a space that nobody has set another policy for. */
export const DEFAULT_POLICY: Policy = {
  settle: { who: 'anyone', named: [], approvals: 0, independent: false, proposerMaySettle: true },
  loopGuard: { total: 0, perAgent: 0 },
}

/** The policy after a change. Throws for one under which nobody could settle anything. */
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
    throw invalid('settle.named', 'must name somebody if who is named')
  }
  return changed
}
