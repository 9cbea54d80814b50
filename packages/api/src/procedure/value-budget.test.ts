import { DEFAULT_TENANT } from '@collab-spaces/domain'
import { describe, expect, it } from 'vitest'
import { Gate } from '../gate.js'
import { ValueBudget } from './value-budget.js'

const ADA = { fairKey: [DEFAULT_TENANT, 'ada', 'key'] }
/** The maximum of concurrent requests by one human. */
const SLOTS_OF_HUMAN = 2
const POOL = { connections: 1, isStale: () => false }
const openGate = () => new Gate({ requests: POOL, pages: POOL, long: POOL, turnMs: 60_000, longTurnMs: 60_000 })

/** Begins a request whose client can leave, with a read that can be finished. */
function begin(gate: Gate) {
  let leave = () => {}
  let finish = () => {}
  let isReading = false
  const budget = new ValueBudget(100, {
    whenAnswered(callback) {
      leave = callback
    },
  })
  const read = budget.enter(gate, ADA).then(() =>
    budget.read(async () => {
      isReading = true
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      return 'read'
    }),
  )
  return { budget, read, leave: () => leave(), finish: () => finish(), isReading: () => isReading }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the budget of a request whose client leaves', () => {
  it('is spent, and starts no other read', async () => {
    const { budget, read, leave, finish } = begin(openGate())
    await settled()
    const behind = budget.read(async () => 'never')
    expect(budget.take(10)).toBe(true)
    leave()
    expect(budget.take(10)).toBe(false)
    finish()
    expect(await read).toBe('read')
    expect(await behind).toBeNull()
  })

  it('keeps its slot until its read has ended, as the read still uses memory', async () => {
    const gate = openGate()
    const first = Array.from({ length: SLOTS_OF_HUMAN }, () => begin(gate))
    await settled()
    const next = begin(gate)
    for (const { leave } of first) leave()
    await settled()
    expect(next.isReading()).toBe(false)
    for (const { finish } of first) finish()
    await settled()
    expect(next.isReading()).toBe(true)
    next.finish()
    expect(await next.read).toBe('read')
  })
})
