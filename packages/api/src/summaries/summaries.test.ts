import { setImmediate } from 'node:timers/promises'
import type { Database } from '@collab-spaces/db'
import { DEFAULT_TENANT } from '@collab-spaces/domain'
import { FairLimiter, type WhenGone } from '@collab-spaces/fair'
import { expect, it } from 'vitest'
import type { Caller } from '../procedure/credential.js'
import { Summaries } from './summaries.js'
import type { SummaryWriter } from './writer.js'

const SPACE = { tenantId: DEFAULT_TENANT, spaceId: 'plans' }
const WINDOW = { start: new Date(0), end: new Date(1) }

/** A store with one event and no stored summary. */
const store = {
  events: { span: async () => ({ space: SPACE, first: 1, last: 1, redactions: 0 }), spanPieces: () => [] },
  decisions: { decidedWithin: async () => ({ proposed: 0, settled: 0, digest: null }), excerptsWithin: async () => [] },
  tenants: { find: async () => ({ allowsLanguageModel: true }) },
  summaries: { find: async () => null, save: async (...[, , summary]: unknown[]) => summary },
} as unknown as Database

it('a new summary starts for a caller that arrives while an abandoned one ends', async () => {
  const ends: (() => void)[] = []
  const writer: SummaryWriter = {
    model: 'slow',
    atOnce: 2,
    longestMs: 60_000,
    // Ends only when the test says so, also after an abort.
    write: (_source, signal) =>
      new Promise(
        (resolve, reject) => void ends.push(() => (signal.aborted ? reject(signal.reason) : resolve('done'))),
      ),
  }
  const summaries = new Summaries(store, writer, () => {})
  let leave = () => {}
  const ada = { tenantId: DEFAULT_TENANT, actorId: 'ada' } as Caller
  const limiter = new FairLimiter({ width: 2, maxPerHuman: 2, maxWaitMs: 60_000 })
  const read = (whenGone?: WhenGone) =>
    limiter.run({ fairKey: [DEFAULT_TENANT, 'ada'], whenGone }, (slot) =>
      summaries.read(ada, slot, 'plans', WINDOW, { regenerate: false, language: 'en' }),
    )
  const whenGone = (callback: () => void) => {
    leave = callback
    return () => {}
  }
  const first = read(whenGone)
  await expect.poll(() => ends.length).toBe(1)
  leave()
  const second = read()
  // The second read has finished its lookups.
  await setImmediate()
  ends[0]?.()
  await expect(first).rejects.toMatchObject({ kind: 'unavailable' })
  await expect.poll(() => ends.length).toBe(2)
  ends[1]?.()
  expect(await second).toMatchObject({ text: 'done' })
})
