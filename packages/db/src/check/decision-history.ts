import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '@collab-spaces/domain'

/** A decision as its row has it, by the names that acts use. */
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
}

/** An act as its row has it, and its JSON. */
export interface CheckedAct {
  readonly wire: string
  /** The columns that repeat what the JSON says, by its names. */
  readonly columns: Readonly<Record<string, string | number | null>>
}

type Wire = Readonly<Record<string, unknown>>

/** The JSON of an act; undefined if it is none. Says what is wrong with it. */
export function* readAct({ wire, columns }: CheckedAct): Generator<string, Wire | undefined> {
  const value = parsed(wire)
  const act = isJsonObject(value) ? (value as Wire) : undefined
  const wrong = Object.entries(columns).filter(([name, value]) => act?.[name] !== value)
  if (act === undefined) yield `act ${columns.position} cannot be read: it is not JSON`
  else if (wrong.length > 0) {
    yield `act ${columns.position} cannot be read: ${wrong.map(([name]) => name).join(', ')} differs from the column`
  }
  return act
}

type Field = keyof CheckedDecision

/** Replays the acts of a decision, in order, and says where its row differs. */
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
    if (!this.#expected.has('superseded_by')) this.#expect('superseded_by', null)
    if (!this.#expected.has('status')) this.#expect('status', 'proposed')
    for (const [field, expected] of this.#expected) {
      if (!isSame(this.decision[field], expected)) yield `${field} differs from what the acts tell`
    }
  }

  #replay(act: Wire): void {
    switch (act.kind) {
      case 'proposed':
        this.#expectSame(['proposed_by', 'text', 'created_at', 'assignees', 'supersedes', 'review_at'], act)
        this.#expect('posted_by', act.actor_id)
        this.#expect('rules_at_proposal', act.rules)
        break
      case 'reviewed':
        this.#review(String(act.actor_id), act.verdict === 'approve')
        break
      case 'settled': {
        const { required, given, not_counted } = (act.approvals ?? {}) as Wire
        this.#expectSame(['status', 'resolved_by', 'resolution'], act)
        this.#expect('resolved_at', act.created_at)
        this.#expect('settled_by', act.actor_id)
        this.#expect('required_approvals', required)
        this.#expect('given_approvals', given)
        this.#expect('approvals_not_counted', not_counted)
        break
      }
      case 'superseded':
        this.#expect('superseded_by', act.superseded_by)
    }
  }

  #review(actorId: string, isApproval: boolean): void {
    const place = this.#approvers.indexOf(actorId)
    if (isApproval && place === -1) this.#approvers.push(actorId)
    if (!isApproval && place !== -1) this.#approvers.splice(place, 1)
  }

  #expectSame(fields: readonly Field[], act: Wire): void {
    for (const field of fields) this.#expect(field, act[field])
  }

  #expect(field: Field, value: unknown): void {
    this.#expected.set(field, value)
  }
}

function parsed(wire: string): unknown {
  try {
    return JSON.parse(wire)
  } catch {
    return undefined
  }
}

/** Whether two JSON values are the same, in whatever order their keys are. */
export const isSame = (one: unknown, other: unknown) => isDeepStrictEqual(one, other)
