import type { Worker } from 'node:worker_threads'
import { byteStringOf } from '@collab-spaces/db/byte-string'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
// Its worker threads run the build.
import { ExtractiveWriter } from '../../dist/summaries/extractive.js'
import type { Event } from '../schemas/event.js'
import type { SummarySource } from './writer.js'

const started: Worker[] = []
const note = (worker: Worker) => started.push(worker)
beforeEach(() => void process.on('worker', note))
afterEach(() => {
  process.off('worker', note)
  for (const worker of started.splice(0)) void worker.terminate()
})

const event = (n: number, text = 'We ship the release on Monday.'): Event => ({
  event_id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  space_id: 'plans',
  speaker_id: 'usr_ada',
  speaker_name: 'Ada',
  speaker_type: 'human',
  text,
  timestamp: '2026-11-02T09:00:00.000Z',
  parent_event_id: null,
  references: [],
  thread_id: null,
  metadata: null,
  posted_by: 'usr_ada',
  posted_by_name: 'Ada',
  posted_by_type: 'human' as const,
})

const piece = (count: number, text?: string) =>
  byteStringOf(Array.from({ length: count }, (_, n) => JSON.stringify(event(n, text))).join())

const sourceOf = (pieces: SummarySource['pieces']): SummarySource => ({
  pieces,
  eventCount: 10,
  language: 'en',
  readDecisions: async () => ({ decisions: [], moreDecisions: { proposed: 0, settled: 0 } }),
  requireMayLeave: async () => {},
})

const whole = () =>
  sourceOf(
    (async function* () {
      yield piece(10)
    })(),
  )

const never = new AbortController().signal

describe('an aborted summary', () => {
  it('leaves its thread to the next one', async () => {
    const writer = new ExtractiveWriter()
    const wanted = new AbortController()
    const reason = new Error('no caller waits for it')
    const abandoned = async function* () {
      yield piece(10)
      wanted.abort(reason)
      yield piece(10)
    }
    await expect(writer.write(sourceOf(abandoned()), wanted.signal)).rejects.toBe(reason)
    expect(await writer.write(whole(), never)).toContain('release')
    expect(started).toHaveLength(1)
  })

  it('leaves its thread to the next one if it is still reading events', async () => {
    const writer = new ExtractiveWriter()
    const wanted = new AbortController()
    const slow = async function* () {
      yield piece(10)
      wanted.abort()
      await new Promise(() => {})
    }
    await expect(writer.write(sourceOf(slow()), wanted.signal)).rejects.toThrow('aborted')
    expect(await writer.write(whole(), never)).toContain('release')
    expect(started).toHaveLength(1)
  })

  it('terminates its thread if the thread continues with it', async () => {
    const writer = new ExtractiveWriter()
    const wanted = new AbortController()
    const long = async function* () {
      setImmediate(() => wanted.abort())
      yield piece(30_000, 'One of the many words that will not be read. '.repeat(9))
    }
    await expect(writer.write(sourceOf(long()), wanted.signal)).rejects.toThrow('aborted')
    expect(await writer.write(whole(), never)).toContain('release')
    expect(started).toHaveLength(2)
  })
})

describe('a failed read of events', () => {
  it('fails the summary, and leaves its thread to the next one', async () => {
    const writer = new ExtractiveWriter()
    const unreadable = async function* () {
      yield piece(10)
      throw new Error('no connection')
    }
    await expect(writer.write(sourceOf(unreadable()), never)).rejects.toThrow('no connection')
    expect(await writer.write(whole(), never)).toContain('release')
    expect(started).toHaveLength(1)
  })
})

it('the writer starts another thread if the idle one has ended', async () => {
  const writer = new ExtractiveWriter()
  await writer.write(whole(), never)
  await started[0]?.terminate()
  expect(await writer.write(whole(), never)).toContain('release')
  expect(started).toHaveLength(2)
})
