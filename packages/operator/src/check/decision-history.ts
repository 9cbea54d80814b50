import { isDeepStrictEqual } from 'node:util'
import { type ActJson, type CheckedAct, readAct } from '@collab-spaces/db'

/** A decision according to its row, under the names in acts. */
export interface CheckedDecision {
  readonly proposed_by: string
  readonly text: string
  readonly posted_by: string
  readonly created_at: string
  readonly assignees: readonly string[]
  readonly supersedes: string | null
  readonly review_at: string | null
  readonly approved_by: readonly string[]
  readonly status: string
  readonly resolved_by: string | null
  readonly resolved_at: string | null
  readonly resolution: string | null
  readonly settled_by: string | null
  readonly superseded_by: string | null
  readonly required_approvals: number | null
  readonly given_approvals: number | null
  readonly approvals_not_counted: readonly object[] | null
  readonly rules_at_proposal: object
  readonly options: readonly object[] | null
  readonly option: string | null
  readonly action: object | null
  readonly edit: object | null
  readonly expires_at: string | null
  readonly used_by: string | null
  readonly used_at: string | null
  /** The digest of the action that was used. */
  readonly used_digest: string | null
}

type Field = keyof CheckedDecision

/** The fields that no act may have set. */
const AT_FIRST: Partial<CheckedDecision> = {
  superseded_by: null,
  status: 'proposed',
  option: null,
  edit: null,
  used_by: null,
  used_at: null,
  used_digest: null,
}

/** Replays the acts of a decision in order, and reports differences from its row. */
export class DecisionHistory {
  readonly #expected = new Map<Field, unknown>()
  readonly #approvers: string[] = []

  constructor(private readonly decision: CheckedDecision) {}

  *add({ wire, columns }: CheckedAct): Generator<string> {
    const act = yield* readAct({ wire, columns })
    if (act) this.#replay(act)
  }

  *end(): Generator<string> {
    this.#expect('approved_by', this.#approvers)
    for (const [field, value] of Object.entries(AT_FIRST)) {
      if (!this.#expected.has(field as Field)) this.#expect(field as Field, value)
    }
    for (const [field, expected] of this.#expected) {
      if (!isSame(this.decision[field], expected)) yield `${field} differs from what the acts tell`
    }
  }

  #replay(act: ActJson): void {
    switch (act.kind) {
      case 'proposed':
        this.#expectSame(['proposed_by', 'text', 'created_at', 'assignees', 'supersedes', 'review_at'], act)
        this.#expect('posted_by', act.actor_id)
        this.#expect('rules_at_proposal', act.rules)
        this.#expectMaybe(['options', 'action', 'expires_at'], act)
        break
      case 'reviewed':
        this.#review(String(act.actor_id), act.verdict === 'approve')
        break
      case 'settled': {
        const { required, given, not_counted } = (act.approvals ?? {}) as ActJson
        this.#expectSame(['status', 'resolved_by', 'resolution'], act)
        this.#expect('resolved_at', act.created_at)
        this.#expect('settled_by', act.actor_id)
        this.#expect('required_approvals', required)
        this.#expect('given_approvals', given)
        this.#expect('approvals_not_counted', not_counted)
        this.#expectMaybe(['option', 'edit'], act)
        break
      }
      case 'superseded':
        this.#expect('superseded_by', act.superseded_by)
        break
      case 'used':
        this.#expect('used_by', act.actor_id)
        this.#expect('used_at', act.created_at)
        this.#expect('used_digest', act.digest)
    }
  }

  #review(actorId: string, isApproval: boolean): void {
    const place = this.#approvers.indexOf(actorId)
    if (isApproval && place === -1) this.#approvers.push(actorId)
    if (!isApproval && place !== -1) this.#approvers.splice(place, 1)
  }

  #expectSame(fields: readonly Field[], act: ActJson): void {
    for (const field of fields) this.#expect(field, act[field])
  }

  /** Expects fields that only some acts have. */
  #expectMaybe(fields: readonly Field[], act: ActJson): void {
    for (const field of fields) this.#expect(field, act[field] ?? null)
  }

  #expect(field: Field, value: unknown): void {
    this.#expected.set(field, value)
  }
}

/** Whether two JSON values are equal, in any order of keys. */
export const isSame = (one: unknown, other: unknown) => isDeepStrictEqual(one, other)
