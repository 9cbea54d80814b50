import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActorRef } from './actor.js'
import {
  type Approvals,
  type Approver,
  approversAfter,
  countApprovals,
  type PlacedApprover,
  requireCanSettle,
  requireNotSuperseded,
  requireUnsettled,
  SETTLED_STATUSES,
  type Settleable,
  STANDINGS,
  VERDICTS,
  type Verdict,
} from './decision.js'
import { DomainError } from './errors.js'
import { LIMITS } from './limits.js'
import { DEFAULT_POLICY, SETTLERS, type SettleRules } from './policy.js'

describe('requireUnsettled', () => {
  it('lets a proposed decision be settled', () => {
    expect(() => requireUnsettled('proposed')).not.toThrow()
  })

  it.each(['resolved', 'rejected'] as const)('rejects a decision that is %s', (status) => {
    expect(() => requireUnsettled(status)).toThrow(new DomainError('conflict', `Decision is already ${status}`))
  })
})

const ada: ActorRef = { actorId: 'ada', actorType: 'human', sponsorId: null }
const bob: ActorRef = { actorId: 'bob', actorType: 'human', sponsorId: null }
const scout: ActorRef = { actorId: 'scout', actorType: 'agent', sponsorId: 'ada' }
const rover: ActorRef = { actorId: 'rover', actorType: 'agent', sponsorId: 'ada' }
const aide: ActorRef = { actorId: 'aide', actorType: 'agent', sponsorId: 'bob' }
const ACTORS = [ada, bob, scout, rover, aide]

const none: Approvals = { required: 0, given: 0, by: [], notCounted: [] }
const proposed: Settleable = {
  status: 'proposed',
  postedBy: 'scout',
  supersededBy: null,
  rulesAtProposal: DEFAULT_POLICY.settle,
  approvals: none,
}
const rules = (changed: Partial<SettleRules>): SettleRules => ({ ...DEFAULT_POLICY.settle, ...changed })

const anyActor = fc.constantFrom(...ACTORS)
const anyRules: fc.Arbitrary<SettleRules> = fc.record({
  who: fc.constantFrom(...SETTLERS),
  named: fc.subarray(ACTORS.map(({ actorId }) => actorId)),
  approvals: fc.integer({ min: 0, max: 10 }),
  independent: fc.boolean(),
  proposerMaySettle: fc.boolean(),
})

function refusalOf(...args: Parameters<typeof requireCanSettle>): DomainError | null {
  try {
    requireCanSettle(...args)
    return null
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

describe('requireCanSettle', () => {
  it('allows every actor to settle by default', () => {
    fc.assert(
      fc.property(anyActor, fc.constantFrom(...SETTLED_STATUSES), (settler, wanted) => {
        expect(refusalOf(settler, proposed, DEFAULT_POLICY.settle, wanted)).toBeNull()
      }),
    )
  })

  it.each([
    ['an agent where humans settle', scout, rules({ who: 'humans' }), 'Only humans may settle decisions here'],
    ['an actor that is not named', bob, rules({ who: 'named', named: ['ada'] }), 'Not a resolver of this space'],
    [
      'the proposer',
      scout,
      rules({ proposerMaySettle: false }),
      'The proposer of a decision may not settle it in this space',
    ],
  ])("refuses %s, whatever the decision's status", (_who, settler, under, detail) => {
    for (const wanted of SETTLED_STATUSES) {
      for (const status of ['proposed', 'resolved'] as const) {
        const refusal = refusalOf(settler, { ...proposed, status }, under, wanted)
        expect(refusal).toMatchObject({ kind: 'forbidden', detail })
      }
    }
  })

  it('reports how many approvals are missing, and requires none to reject', () => {
    const decision = (given: number) => ({ ...proposed, approvals: { ...none, required: 2, given } })
    const refusal = refusalOf(ada, decision(0), DEFAULT_POLICY.settle, 'resolved')
    expect(refusal).toMatchObject({
      kind: 'conflict',
      detail: 'Needs 2 more approvals',
      fields: { error: 'approvals_missing', required: 2, given: 0 },
    })
    expect(refusalOf(ada, decision(1), DEFAULT_POLICY.settle, 'resolved')?.detail).toBe('Needs 1 more approval')
    expect(refusalOf(ada, decision(2), DEFAULT_POLICY.settle, 'resolved')).toBeNull()
    expect(refusalOf(ada, decision(0), DEFAULT_POLICY.settle, 'rejected')).toBeNull()
  })

  it('rejects resolving a superseded decision', () => {
    const superseded = { ...proposed, supersededBy: 'successor' }
    expect(() => requireNotSuperseded(superseded)).toThrow('Decision is already superseded')
    expect(refusalOf(ada, superseded, DEFAULT_POLICY.settle, 'resolved')?.detail).toBe('Decision is already superseded')
    expect(refusalOf(ada, superseded, DEFAULT_POLICY.settle, 'rejected')).toBeNull()
  })

  it('applies both the rules at the proposal and the current ones', () => {
    fc.assert(
      fc.property(anyActor, anyRules, anyRules, fc.constantFrom(...SETTLED_STATUSES), (settler, then, now, wanted) => {
        const isRefused = (rules: SettleRules) => refusalOf(settler, proposed, rules, wanted) !== null
        const refusal = refusalOf(settler, { ...proposed, rulesAtProposal: then }, now, wanted)
        expect(refusal !== null).toBe(isRefused(then) || isRefused(now))
      }),
    )
  })

  it('allows no more under stricter rules', () => {
    fc.assert(
      fc.property(anyActor, anyRules, fc.constantFrom(...SETTLED_STATUSES), (settler, under, wanted) => {
        if (refusalOf(settler, proposed, under, wanted) !== null) return
        expect(refusalOf(settler, proposed, { ...under, who: 'anyone' }, wanted)).toBeNull()
        expect(refusalOf(settler, proposed, { ...under, proposerMaySettle: true }, wanted)).toBeNull()
      }),
    )
  })
})

const anyReviews = fc.array(fc.tuple(anyActor, fc.constantFrom<Verdict>(...VERDICTS)), { maxLength: 30 })
const approversOf = (reviews: readonly (readonly [ActorRef, Verdict])[]) =>
  reviews.reduce<readonly Approver[]>((approvers, [actor, verdict]) => approversAfter(approvers, actor, verdict), [])

const idsOf = (approvers: readonly Approver[]) => approvers.map(({ actorId }) => actorId)

describe('approversAfter', () => {
  it('counts the last review of each reviewer', () => {
    fc.assert(
      fc.property(anyReviews, (reviews) => {
        const last = new Map(reviews.map(([{ actorId }, verdict]) => [actorId, verdict]))
        const approving = [...last].filter(([, verdict]) => verdict === 'approve').map(([actorId]) => actorId)
        expect(idsOf(approversOf(reviews)).sort()).toEqual(approving.sort())
      }),
    )
  })

  it('keeps the order of approvals', () => {
    expect(approversAfter([ada, bob], ada, 'approve')).toEqual([ada, bob])
    expect(approversAfter(approversAfter([ada, bob], ada, 'reject'), ada, 'approve')).toEqual([bob, ada])
  })

  it('limits the number of approvals', () => {
    const full = Array.from({ length: LIMITS.approvals }, (_, n) => ({ actorId: `usr_${n}`, sponsorId: null }))
    expect(() => approversAfter(full, ada, 'approve')).toThrow('A decision can have at most 100 approvals')
    expect(approversAfter(full, { actorId: 'usr_7', sponsorId: null }, 'approve')).toEqual(full)
    expect(approversAfter(full, ada, 'reject')).toEqual(full)
  })

  it('limits the approvals of one human and their agents, which leaves room for other actors', () => {
    const agents = Array.from({ length: LIMITS.requiredApprovals }, (_, n) => ({
      actorId: `agt_${n}`,
      sponsorId: 'ada',
    }))
    for (const one of [ada, scout]) {
      expect(() => approversAfter(agents, one, 'approve')).toThrow('at most 10 approvals of one human and their agents')
    }
    expect(approversAfter(agents, bob, 'approve')).toEqual([...agents, bob])
    expect(
      approversAfter(approversAfter(agents, { actorId: 'agt_3', sponsorId: 'ada' }, 'reject'), ada, 'approve'),
    ).toContain(ada)
  })
})

const here = (actor: Approver): PlacedApprover => ({ ...actor, standing: 'present' })
const two = { approvals: 2, independent: false }
const independent = { approvals: 1, independent: true }

describe('countApprovals', () => {
  it("excludes the proposer's human and all of their agents", () => {
    for (const rules of [two, independent]) {
      expect(countApprovals([rules], [ada, scout, rover, bob].map(here), scout)).toMatchObject({
        given: 1,
        by: ['ada', 'scout', 'rover', 'bob'],
        notCounted: [
          { actorId: 'ada', reason: 'proposer' },
          { actorId: 'scout', reason: 'proposer' },
          { actorId: 'rover', reason: 'proposer' },
        ],
      })
      expect(countApprovals([rules], [scout, rover].map(here), ada).given).toBe(0)
    }
  })

  it('counts one human and their agents once if approvals are independent, else each', () => {
    const approvers = [bob, aide].map(here)
    expect(countApprovals([independent], approvers, scout)).toMatchObject({
      given: 1,
      notCounted: [{ actorId: 'aide', reason: 'same_human' }],
    })
    expect(countApprovals([two], approvers, scout)).toMatchObject({ given: 2, notCounted: [] })
  })

  it.each(STANDINGS.filter((standing) => standing !== 'present'))('excludes a reviewer who is %s', (standing) => {
    const approvers = [{ ...bob, standing }, here(aide)]
    expect(countApprovals([independent], approvers, scout)).toMatchObject({
      given: 1,
      notCounted: [{ actorId: 'bob', reason: standing }],
    })
  })

  it('applies the strictest of several rules', () => {
    expect(countApprovals([two, independent], [bob, aide].map(here), scout)).toMatchObject({ required: 2, given: 1 })
    expect(countApprovals([independent, two], [bob, aide].map(here), scout)).toMatchObject({ required: 2, given: 1 })
  })

  it('gives a reason for each approval that is not counted', () => {
    const anyApprover = fc.record({ actor: anyActor, standing: fc.constantFrom(...STANDINGS) })
    const anyApprovers = fc.uniqueArray(anyApprover, { selector: ({ actor }) => actor.actorId })
    fc.assert(
      fc.property(anyApprovers, anyRules, anyActor, (all, rules, proposer) => {
        const approvers = all.map(({ actor, standing }) => ({ ...actor, standing }))
        const { given, by, notCounted } = countApprovals([rules], approvers, proposer)
        expect(given + notCounted.length).toBe(by.length)
        expect(countApprovals([rules], [...approvers].reverse(), proposer).given).toBe(given)
      }),
    )
  })
})
