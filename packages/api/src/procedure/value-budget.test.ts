import { DEFAULT_SCOPE } from '@collab-spaces/domain'
import { describe, expect, it } from 'vitest'
import { openValueTurns, ValueBudget } from './value-budget.js'

const ADA = { scope: DEFAULT_SCOPE, actorId: 'ada' }
/** As many as are under way at a time of one actor. */
const TURNS_OF_ACTOR = 2

/** A request that can be ended, and one read of it that takes until told. */
function begin(turns: ReturnType<typeof openValueTurns>) {
  let leave = () => {}
  let finish = () => {}
  let isReading = false
  const budget = new ValueBudget(100, {
    whenAnswered(callback) {
      leave = callback
    },
  })
  const read = budget.enter(turns, ADA).then(() =>
    budget.inTurn(async () => {
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
  it('has nothing left, and begins no other read', async () => {
    const { budget, read, leave, finish } = begin(openValueTurns())
    await settled()
    const behind = budget.inTurn(async () => 'never')
    expect(budget.take(10)).toBe(true)
    leave()
    expect(budget.take(10)).toBe(false)
    finish()
    expect(await read).toBe('read')
    expect(await behind).toBeNull()
  })

  it('keeps its turn until its read has ended, as that holds what was read so far', async () => {
    const turns = openValueTurns()
    const first = Array.from({ length: TURNS_OF_ACTOR }, () => begin(turns))
    await settled()
    const next = begin(turns)
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
