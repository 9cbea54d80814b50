import { type CheckedAct, isSame, readAct } from './decision-history.js'
import type { Problem } from './history.js'

/** The policy of a space as its rows have it. */
export interface CheckedPolicy {
  /** Null for a space without a policy. */
  readonly changed_at: string | null
  readonly policy: object
}

/** Replays the acts about a space itself, in order, and says where its policy differs. */
export class SpaceHistory {
  #policy: { readonly at: string; readonly after: unknown } | undefined

  constructor(
    readonly tenant_id: string,
    readonly space_id: string,
    private readonly space: CheckedPolicy,
  ) {}

  *add(checked: CheckedAct): Generator<Problem> {
    const read = readAct(checked)
    let step = read.next()
    for (; !step.done; step = read.next()) yield this.#problem(step.value)
    const act = step.value
    if (act?.kind === 'policy_changed') this.#policy = { at: String(act.created_at), after: act.after }
  }

  *end(): Generator<Problem> {
    if (!this.#policy) return
    const { changed_at, policy } = this.space
    // A server of the version before has changed it since, and left no act.
    if (changed_at !== null && changed_at > this.#policy.at) return
    if (changed_at === null || !isSame(policy, this.#policy.after)) {
      yield this.#problem('its policy differs from what the acts tell')
    }
  }

  #problem(problem: string): Problem {
    return { tenant_id: this.tenant_id, space_id: this.space_id, problem }
  }
}
