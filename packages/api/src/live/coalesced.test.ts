import { expect, it } from 'vitest'
import { coalesced } from './coalesced.js'

it('coalesced work runs once more for all calls during a run, and never concurrently', async () => {
  const ends: (() => void)[] = []
  const work = coalesced(() => new Promise((resolve) => void ends.push(resolve)))
  const calls = [work(), work(), work()]
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await expect.poll(() => ends.length).toBe(2)
  const late = work()
  ends[1]?.()
  await expect.poll(() => ends.length).toBe(3)
  ends[2]?.()
  await Promise.all([...calls, late])
  expect(ends).toHaveLength(3)
  void work()
  expect(ends).toHaveLength(4)
})
