import { DEFAULT_TENANT } from '@collab-spaces/domain'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Gate } from './gate.js'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const pool = { connections: 9, isStale: () => false }
const gate = () => new Gate({ requests: pool, pages: pool, long: pool, turnMs: 1_000, longTurnMs: 1_000 })

/** Starts ten uploads of several humans. Returns the release functions of those that hold a buffer. */
async function tenUploads(): Promise<(() => void)[]> {
  const held: (() => void)[] = []
  const uploads = gate()
  for (let n = 0; n < 10; n++) {
    const fairKey = [DEFAULT_TENANT, `human-${n}`, `key-${n}`] as const
    void uploads.holdBuffer({ fairKey }).then((release) => held.push(release))
  }
  await vi.advanceTimersByTimeAsync(0)
  return held
}

it('the gate limits the uploads that hold a buffer at a time', async () => {
  const held = await tenUploads()
  expect(held).toHaveLength(7)
  held[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(held).toHaveLength(8)
})

it('the gate gives buffers to the other uploads after a timeout', async () => {
  const held = await tenUploads()
  await vi.runAllTimersAsync()
  expect(held).toHaveLength(10)
})
