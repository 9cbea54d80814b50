import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActorRef } from './actor.js'
import {
  type Approvals,
  type Approver,
  approvalsUnder,
  approversAfter,
  independentApprovals,
  requireCanSettle,
  requireNotSuperseded,
  requireUnsettled,
  SETTLED_STATUSES,
  type Settleable,
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

  it.each(['resolved', 'rejected'] as const)('refuses one that is %s', (status) => {
    expect(() => requireUnsettled(status)).toThrow(new DomainError('conflict', `Decision is already ${status}`))
  })
})

const ada: ActorRef = { actorId: 'ada', actorType: 'human', sponsorId: null }
const bob: ActorRef = { actorId: 'bob', actorType: 'human', sponsorId: null }
const scout: ActorRef = { actorId: 'scout', actorType: 'agent', sponsorId: 'ada' }
const rover: ActorRef = { actorId: 'rover', actorType: 'agent', sponsorId: 'ada' }
const aide: ActorRef = { actorId: 'aide', actorType: 'agent', sponsorId: 'bob' }
const ACTORS = [ada, bob, scout, rover, aide]

const none: Approvals = { required: 0, given: 0, by: [] }
const proposed: Settleable = { status: 'proposed', postedBy: 'scout', supersededBy: null, approvals: none }
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
  it('lets anyone settle anything by default', () => {
    fc.assert(
      fc.property(anyActor, fc.constantFrom(...SETTLED_STATUSES), (settler, wanted) => {
        expect(refusalOf(settler, proposed, DEFAULT_POLICY.settle, wanted)).toBeNull()
      }),
    )
  })

  it.each([
    ['an agent where humans settle', scout, rules({ who: 'humans' }), 'Only humans may settle decisions here'],
    ['who is not named', bob, rules({ who: 'named', named: ['ada'] }), 'Not a resolver of this space'],
    [
      'the proposer',
      scout,
      rules({ proposerMaySettle: false }),
      'The proposer of a decision may not settle it in this space',
    ],
  ])('refuses %s, whatever the decision', (_who, settler, under, detail) => {
    for (const wanted of SETTLED_STATUSES) {
      for (const status of ['proposed', 'resolved'] as const) {
        const refusal = refusalOf(settler, { ...proposed, status }, under, wanted)
        expect(refusal).toMatchObject({ kind: 'forbidden', detail })
      }
    }
  })

  it('says how many approvals are missing, and needs none to reject', () => {
    const decision = (given: number) => ({ ...proposed, approvals: { required: 2, given, by: [] } })
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

  it('does not resolve what another decision has superseded', () => {
    const superseded = { ...proposed, supersededBy: 'successor' }
    expect(() => requireNotSuperseded(superseded)).toThrow('Decision is already superseded')
    expect(refusalOf(ada, superseded, DEFAULT_POLICY.settle, 'resolved')?.detail).toBe('Decision is already superseded')
    expect(refusalOf(ada, superseded, DEFAULT_POLICY.settle, 'rejected')).toBeNull()
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

  it('keeps the order in which they approved', () => {
    expect(approversAfter([ada, bob], ada, 'approve')).toEqual([ada, bob])
    expect(approversAfter(approversAfter([ada, bob], ada, 'reject'), ada, 'approve')).toEqual([bob, ada])
  })

  it('takes no more than fit on a page', () => {
    const full = Array.from({ length: LIMITS.approvals }, (_, n) => ({ actorId: `usr_${n}`, sponsorId: null }))
    expect(() => approversAfter(full, ada, 'approve')).toThrow('A decision can have at most 100 approvals')
    expect(approversAfter(full, { actorId: 'usr_7', sponsorId: null }, 'approve')).toEqual(full)
    expect(approversAfter(full, ada, 'reject')).toEqual(full)
  })

  it('leaves others their places, however many agents somebody has', () => {
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

describe('independentApprovals', () => {
  it.each([
    ['one human and its agents once', [bob, aide], scout, 1],
    ['not the proposer', [scout, bob], scout, 1],
    ['not the sponsor of the proposer, nor its other agents', [ada, rover], scout, 0],
    ['not the agents of a human that proposed', [scout, rover], ada, 0],
    ['nobody', [], ada, 0],
  ])('counts %s', (_whom, approvers, proposer, count) => {
    expect(independentApprovals(approvers, proposer)).toBe(count)
  })

  it('never counts more than there are, and any order alike', () => {
    fc.assert(
      fc.property(fc.subarray(ACTORS), anyActor, (approvers, proposer) => {
        const count = independentApprovals(approvers, proposer)
        expect(count).toBeLessThanOrEqual(approvers.length)
        expect(independentApprovals([...approvers].reverse(), proposer)).toBe(count)
      }),
    )
  })
})

it('counts approvals as the rules say', () => {
  expect(approvalsUnder({ approvals: 2, independent: false }, ['ada', 'scout'], 1)).toEqual({
    required: 2,
    given: 2,
    by: ['ada', 'scout'],
  })
  expect(approvalsUnder({ approvals: 2, independent: true }, ['ada', 'scout'], 1).given).toBe(1)
})
