import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DomainError } from './errors.js'
import { changedPolicy, DEFAULT_POLICY, type PolicyChange, SETTLERS } from './policy.js'

const anyChange: fc.Arbitrary<PolicyChange> = fc.record(
  {
    settle: fc.record(
      {
        who: fc.constantFrom(...SETTLERS),
        named: fc.array(fc.constantFrom('ada', 'bob', 'scout'), { minLength: 1, maxLength: 5 }),
        approvals: fc.integer({ min: 0, max: 10 }),
        independent: fc.boolean(),
        proposerMaySettle: fc.boolean(),
      },
      { requiredKeys: ['named'] },
    ),
    loopGuard: fc.record(
      { total: fc.integer({ min: 0, max: 1_000 }), perAgent: fc.integer({ min: 0, max: 200 }) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

describe('changedPolicy', () => {
  it('keeps a policy without changes', () => {
    expect(changedPolicy(DEFAULT_POLICY, {})).toEqual(DEFAULT_POLICY)
    expect(changedPolicy(DEFAULT_POLICY, { settle: {}, loopGuard: {} })).toEqual(DEFAULT_POLICY)
  })

  it('applies the changes, and keeps everything else', () => {
    fc.assert(
      fc.property(anyChange, anyChange, (first, second) => {
        const before = changedPolicy(DEFAULT_POLICY, first)
        const { settle, loopGuard } = changedPolicy(before, second)
        const named = [...new Set(second.settle?.named ?? before.settle.named)]
        expect(settle).toEqual({ ...before.settle, ...second.settle, named })
        expect(loopGuard).toEqual({ ...before.loopGuard, ...second.loopGuard })
      }),
    )
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(anyChange, (change) => {
        const once = changedPolicy(DEFAULT_POLICY, change)
        expect(changedPolicy(once, change)).toEqual(once)
      }),
    )
  })

  it('rejects a policy under which no actor could settle', () => {
    const refusal = new DomainError('invalid', 'settle.named: must name at least one actor if who is named')
    expect(() => changedPolicy(DEFAULT_POLICY, { settle: { who: 'named' } })).toThrow(refusal)
    const named = changedPolicy(DEFAULT_POLICY, { settle: { who: 'named', named: ['ada'] } })
    expect(() => changedPolicy(named, { settle: { named: [] } })).toThrow(refusal)
  })
})
