import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canReadReceipt,
  isSettledReceipt,
  RECEIPT_STATES,
  type ReceiptFacts,
  receiptOf,
  UNREACHABLE_AFTER_MS,
} from './receipt.js'

const at = (ms: number) => new Date(ms)
const NOW = at(1_000_000_000)
const ago = (ms: number) => at(NOW.getTime() - ms)

const NOTHING: ReceiptFacts = {
  actorType: 'agent',
  addressedAt: ago(5_000),
  lastSeenAt: ago(1_000),
  isGone: false,
  hasWebhook: false,
  seen: null,
  workingSince: null,
  answer: null,
  done: null,
  stoppedAt: null,
}

const stateOf = (facts: Partial<ReceiptFacts>) => receiptOf({ ...NOTHING, ...facts }, NOW)
const rankOf = (facts: ReceiptFacts, now = NOW) => RECEIPT_STATES.indexOf(receiptOf(facts, now).state)

describe('an undelivered event', () => {
  it('is waiting for an actor with a recent request or a webhook', () => {
    expect(stateOf({})).toMatchObject({ state: 'waiting', since: NOTHING.addressedAt })
    expect(stateOf({ lastSeenAt: ago(UNREACHABLE_AFTER_MS) }).state).toBe('waiting')
    expect(stateOf({ lastSeenAt: null, hasWebhook: true }).state).toBe('waiting')
  })

  it('is unreachable for an actor without a request in the last minute, since its last one', () => {
    const lastSeenAt = ago(UNREACHABLE_AFTER_MS + 1)
    expect(stateOf({ lastSeenAt })).toMatchObject({ state: 'unreachable', since: NOTHING.addressedAt })
    expect(stateOf({ lastSeenAt, addressedAt: at(0) }).since).toEqual(lastSeenAt)
    expect(stateOf({ lastSeenAt: null }).state).toBe('unreachable')
    expect(stateOf({ isGone: true, hasWebhook: true }).state).toBe('unreachable')
  })
})

describe('a delivered event', () => {
  const seen = { at: ago(4) }
  const answer = { eventId: 'e', at: ago(2) }

  it('is seen, also at an unknown time, and working while it is claimed', () => {
    expect(stateOf({ seen })).toMatchObject({ state: 'seen', since: seen.at })
    expect(stateOf({ seen: { at: null } })).toMatchObject({ state: 'seen', since: null })
    expect(stateOf({ seen, workingSince: ago(3) })).toMatchObject({ state: 'working', since: ago(3) })
  })

  it('is answered by an event, but not when it is marked as done', () => {
    const done = { at: ago(1), outcome: null, reason: null }
    expect(stateOf({ seen, answer })).toMatchObject({ state: 'answered', byEventId: 'e', since: answer.at })
    expect(stateOf({ done })).toMatchObject({ state: 'seen', since: done.at, byEventId: null })
  })

  it('is declined with a reason, and with the answer if one exists', () => {
    const done = { at: ago(1), outcome: 'declined', reason: 'Not mine' } as const
    expect(stateOf({ done })).toEqual({ state: 'declined', since: done.at, byEventId: null, reason: 'Not mine' })
    expect(stateOf({ done, answer })).toMatchObject({ state: 'declined', byEventId: 'e' })
  })

  it('is stopped with its agent, unless the agent has answered', () => {
    expect(stateOf({ seen, stoppedAt: ago(1) })).toMatchObject({ state: 'stopped', since: ago(1) })
    expect(stateOf({ answer, stoppedAt: ago(1) }).state).toBe('answered')
  })
})

describe('the receipt of a human', () => {
  const done = { at: ago(1), outcome: null, reason: null }
  const stateOfHuman = (facts: Partial<ReceiptFacts>) => receiptOf({ ...NOTHING, actorType: 'human', ...facts }, NOW)

  it('is visible to the poster only, unlike that of an agent', () => {
    const event = { postedBy: 'usr_ada' }
    const [ada, bob] = [{ actorId: 'usr_ada' }, { actorId: 'usr_bob' }]
    expect(canReadReceipt(ada, event, { actorType: 'human' })).toBe(true)
    expect(canReadReceipt(bob, event, { actorType: 'human' })).toBe(false)
    expect(canReadReceipt(bob, event, { actorType: 'agent' })).toBe(true)
  })

  it('is answered, or seen without a time', () => {
    const plain = { state: 'seen', since: null, byEventId: null, reason: null }
    expect(stateOfHuman({ answer: { eventId: 'e', at: ago(2) } })).toMatchObject({ state: 'answered', byEventId: 'e' })
    expect(stateOfHuman({ seen: { at: ago(4) } })).toEqual(plain)
    expect(stateOfHuman({ done })).toEqual(plain)
    expect(stateOfHuman({ done: { ...done, outcome: 'declined', reason: 'No' } })).toEqual(plain)
    expect(stateOfHuman({ seen: { at: null }, workingSince: ago(3) })).toEqual(plain)
  })

  it("reveals neither the human's presence nor a done mark", () => {
    expect(stateOfHuman({ lastSeenAt: null }).state).toBe('waiting')
    expect(stateOfHuman({ lastSeenAt: null, isGone: true }).state).toBe('unreachable')
    const facts = { ...NOTHING, actorType: 'human', done } as const
    expect(isSettledReceipt(receiptOf(facts, NOW), facts)).toBe(false)
    expect(isSettledReceipt(receiptOf(facts, NOW), { ...facts, isGone: true })).toBe(true)
  })
})

const moment = fc.nat(1_000).map(ago)
const additions: fc.Arbitrary<Partial<ReceiptFacts>> = fc.oneof(
  fc.record({ seen: fc.record({ at: fc.option(moment) }) }),
  fc.record({ workingSince: moment }),
  fc.record({ answer: fc.record({ eventId: fc.uuid(), at: moment }) }),
  fc.record({
    done: fc.record({ at: moment, outcome: fc.constantFrom(null, 'declined' as const), reason: fc.constant(null) }),
  }),
  fc.record({ stoppedAt: moment }),
)

/** Adds facts; a known fact never changes. */
const added = (facts: ReceiptFacts, more: Partial<ReceiptFacts>): ReceiptFacts => {
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null))
  return { ...facts, ...more, ...known }
}

it('the state of a receipt never decreases as facts are added and time passes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(additions, fc.nat(200_000)), { maxLength: 8 }), (steps) => {
      let [facts, now] = [NOTHING, NOW]
      for (const [addition, ms] of steps) {
        const before = rankOf(facts, now)
        // A stopped agent adds no facts.
        if (facts.stoppedAt && !('stoppedAt' in addition)) continue
        facts = added(facts, addition)
        now = at(now.getTime() + ms)
        expect(rankOf(facts, now)).toBeGreaterThanOrEqual(before)
      }
    }),
  )
})

it('a receipt states known facts only', () => {
  fc.assert(
    fc.property(fc.array(additions, { maxLength: 8 }), (steps) => {
      const facts = steps.reduce(added, NOTHING)
      const receipt = receiptOf(facts, NOW)
      const { state } = receipt
      if (state === 'answered') expect(receipt.byEventId).toBe(facts.answer?.eventId)
      if (state === 'declined') expect(facts.done?.outcome).toBe('declined')
      if (state === 'working') expect(receipt.since).toBe(facts.workingSince)
      if (state === 'stopped') expect(receipt.since).toBe(facts.stoppedAt)
      if (state === 'seen') expect(facts.seen ?? facts.done).not.toBeNull()
      if (state === 'waiting' || state === 'unreachable') expect(steps).toEqual([])
      expect(isSettledReceipt(receipt, { ...facts, isGone: true })).toBe(true)
      expect(isSettledReceipt(receipt, facts)).toBe(
        facts.done !== null || ['answered', 'declined', 'stopped'].includes(state),
      )
    }),
  )
})
