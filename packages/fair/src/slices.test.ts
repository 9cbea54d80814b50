import { expect, it } from 'vitest'
import { Slices } from './slices.js'

it('yields to the event loop after each slice, and not before', async () => {
  let now = 0
  const slices = new Slices(() => now)
  let others = 0
  const count = () => {
    others++
    immediate = setImmediate(count)
  }
  let immediate = setImmediate(count)
  for (let step = 0; step < 4; step++) {
    now += 1
    await slices.next()
  }
  expect(others).toBe(0)
  now += 1
  await slices.next()
  expect(others).toBe(1)
  now += 4
  await slices.next()
  expect(others).toBe(1)
  clearImmediate(immediate)
})
