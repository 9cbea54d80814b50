import type { Bus, CommittedEvent, TreeKey } from '@collab-spaces/db'
import { DEFAULT_TENANT as tenantId } from '@collab-spaces/domain'
import { Signer } from '@collab-spaces/merkle'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Sealer } from './sealer.js'

/** Longer than the interval between two runs. */
const A_GO_MS = 2_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Creates a sealer that records sealed trees and fails for broken ones. */
function sealerOf() {
  const sealed: string[] = []
  const faults: unknown[] = []
  const broken = new Set<string>()
  const trees = {
    behind: async () => [],
    auditsBehind: async (): Promise<TreeKey[]> => [],
    async seal(_: Signer, keys: readonly TreeKey[]) {
      if (keys.some(({ spaceId }) => broken.has(spaceId ?? ''))) throw new Error('not now')
      sealed.push(...keys.map(({ spaceId }) => spaceId ?? ''))
      return { sealed: keys, behind: [], broken: [] }
    },
  }
  const bus = { subscribe: () => undefined } as unknown as Bus
  const sealer = new Sealer(trees, bus, new Signer(Buffer.alloc(32)), (error) => faults.push(error))
  const write = (...spaceIds: string[]) =>
    sealer.written(spaceIds.map((spaceId) => ({ tenantId, spaceId }) as CommittedEvent))
  return { sealed, faults, broken, write, trees, sealer }
}

it('the sealer retries a failed tree in the next run, and seals the other trees meanwhile', async () => {
  const { sealed, faults, broken, write } = sealerOf()
  broken.add('b')
  write('a', 'b', 'c')
  await vi.advanceTimersByTimeAsync(A_GO_MS)
  expect(sealed).toEqual(['a', 'c'])
  expect(faults.length).toBeGreaterThan(0)
  broken.clear()
  await vi.advanceTimersByTimeAsync(A_GO_MS)
  expect(sealed).toEqual(['a', 'c', 'b'])
  const before = faults.length
  await vi.advanceTimersByTimeAsync(A_GO_MS)
  expect(faults).toHaveLength(before)
})

it('the sealer looks for entries of the security log again after a failure', async () => {
  const { sealed, trees, sealer } = sealerOf()
  // The first run looks at all trees.
  sealer.open()
  await vi.advanceTimersByTimeAsync(A_GO_MS)
  const look = vi.spyOn(trees, 'auditsBehind').mockRejectedValueOnce(new Error('not now'))
  look.mockResolvedValueOnce([{ tenantId, spaceId: null, tree: 'audit' }])
  sealer.changed(tenantId, undefined)
  await vi.advanceTimersByTimeAsync(2 * A_GO_MS)
  expect(sealed).toEqual([''])
})
