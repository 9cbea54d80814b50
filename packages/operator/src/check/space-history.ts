import { type CheckedAct, readAct } from '@collab-spaces/db'
import { isSame } from './decision-history.js'
import type { Problem } from './history.js'

/** Replays the acts about a space itself in order, and reports differences from its policy. */
export class SpaceHistory {
  #expected: unknown

  constructor(
    readonly tenant_id: string,
    readonly space_id: string,
    /** According to its rows. */
    private readonly policy: object,
  ) {}

  *add(checked: CheckedAct): Generator<Problem> {
    const read = readAct(checked)
    let step = read.next()
    for (; !step.done; step = read.next()) yield this.#problem(step.value)
    const act = step.value
    if (act?.kind === 'policy_changed') this.#expected = act.after
  }

  *end(): Generator<Problem> {
    if (this.#expected !== undefined && !isSame(this.policy, this.#expected)) {
      yield this.#problem('its policy differs from what the acts tell')
    }
  }

  #problem(problem: string): Problem {
    return { tenant_id: this.tenant_id, space_id: this.space_id, problem }
  }
}
