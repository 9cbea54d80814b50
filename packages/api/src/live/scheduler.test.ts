import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Scheduler } from './scheduler.js'

/** Returns a task of this many steps, which records its name at each. */
function task(name: string, steps: number, done: string[], onStep = () => {}) {
  let left = steps
  return {
    step() {
      done.push(name)
      onStep()
      left--
      return left > 0
    },
  }
}

const busyFor = (ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

it('the scheduler runs tasks after the current turn, one step each in rotation', async () => {
  const scheduler = new Scheduler()
  const done: string[] = []
  scheduler.add(task('a', 3, done))
  scheduler.add(task('b', 1, done))
  scheduler.add(task('c', 2, done))
  expect(done).toEqual([])
  while (done.length < 6) await nextTurn()
  expect(done.join('')).toBe('abcaca')
})

it('the scheduler yields to the event loop between the steps of a long task', async () => {
  const scheduler = new Scheduler()
  const done: string[] = []
  scheduler.add(task('long', 20, done, () => busyFor(1)))
  const seen: number[] = []
  while (done.length < 20) {
    await nextTurn()
    seen.push(done.length)
  }
  // A slice has at most two steps, so that the event loop gets many turns.
  expect(seen.filter((steps) => steps > 0 && steps < 20).length).toBeGreaterThanOrEqual(5)
})

it('the scheduler runs a task again that its own step adds', async () => {
  const scheduler = new Scheduler()
  const done: string[] = []
  const again = task('x', 1, done, () => {
    if (done.length === 1) scheduler.add(again)
  })
  scheduler.add(again)
  while (done.length < 2) await nextTurn()
  expect(done).toEqual(['x', 'x'])
})
