import { setImmediate } from 'node:timers/promises'
import type { Database } from '@collab-spaces/db'
import { DEFAULT_TENANT } from '@collab-spaces/domain'
import { FairLimiter, type WhenGone } from '@collab-spaces/fair'
import { EXTRACTIVE_MODEL } from '@collab-spaces/summarizer'
import { expect, it, onTestFinished, vi } from 'vitest'
// Its worker threads run the build.
import { Summaries } from '../../dist/summaries/summaries.js'
import type { Caller } from '../procedure/credential.js'
import type { SummaryWriter } from './writer.js'

const SPACE = { tenantId: DEFAULT_TENANT, spaceId: 'plans' }
const ada = { tenantId: DEFAULT_TENANT, actorId: 'ada' } as Caller
const WINDOW = { start: new Date(0), end: new Date(1) }

/** A store with one event and no stored summary. */
const store = {
  events: { span: async () => ({ space: SPACE, first: 1, last: 1, redactions: 0 }), async *spanPiecesAlone() {} },
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
  const leaves: (() => void)[] = []
  const limiter = new FairLimiter({ width: 2, maxPerHuman: 2, maxWaitMs: 60_000 })
  const read = (whenGone?: WhenGone) =>
    limiter.run({ fairKey: [DEFAULT_TENANT, 'ada'], whenGone }, (slot) =>
      summaries.read(ada, slot, 'plans', WINDOW, { regenerate: false, language: 'en' }),
    )
  const whenGone = (callback: () => void) => {
    leaves.push(callback)
    return () => {}
  }
  const first = read(whenGone)
  await expect.poll(() => ends.length).toBe(1)
  for (const leave of leaves) leave()
  const second = read()
  // The second read has finished its lookups.
  await setImmediate()
  ends[0]?.()
  await expect(first).rejects.toMatchObject({ kind: 'unavailable' })
  await expect.poll(() => ends.length).toBe(2)
  ends[1]?.()
  expect(await second).toMatchObject({ text: 'done' })
})

it.each([
  ['is too slow', { atOnce: 1, longestMs: 1 }],
  ['has no free slot', { atOnce: 0, longestMs: 60_000 }],
])('the built-in writer writes when the language model %s', async (_, limits) => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const write: SummaryWriter['write'] = (_source, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const faults: unknown[] = []
  const summaries = new Summaries(store, { model: 'slow', write, ...limits }, (fault) => faults.push(fault))
  const summary = new FairLimiter({ width: 1, maxWaitMs: 60_000 }).run({ fairKey: [DEFAULT_TENANT, 'ada'] }, (slot) =>
    summaries.read(ada, slot, 'plans', WINDOW, { regenerate: false, language: 'en' }),
  )
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await summary).toMatchObject({ model: EXTRACTIVE_MODEL })
  expect(faults).toHaveLength(1)
})
