import { seededRandom, text } from '@collab-spaces/testing/history'
import type { Figures } from '../row.js'
import type { Human } from '../service/service.js'
import { processorTime } from '../tools/processor.js'
import type { Cursor } from '../workload/pages.js'
import type { Request } from '../workload/request.js'
import { speechRequest } from '../workload/speeches.js'
import { type Pace, publish } from './publish.js'
import { latenessAt, Readers } from './readers.js'
import { stamp } from './stamp.js'

export interface Watch {
  readonly readAt: string
  /** The process that delivers. */
  readonly pid: number
  /** Each is read by an equal share of the readers. Event n goes to stream n, counted round. */
  readonly streams: readonly Request[]
  readonly readers: number
  readonly writes: Pace
}

/**
 * Opens streams, sends events at an even pace, and says how late they were seen by their readers: from just before the
 * request of the writer to the arrival of the bytes. Also says what a delivery costs the delivering process.
 */
export async function watch({ readAt, pid, streams, readers: count, writes }: Watch): Promise<Figures> {
  const readers = await Readers.open(readAt, streams, count)
  try {
    const before = await processorTime(pid)
    const sent = await publish(writes)
    const expected = sent / streams.length
    const seen = await readers.seen(expected)
    const spentMs = (await processorTime(pid)) - before
    if (seen.most > expected) throw new Error('a reader saw an event twice')
    return {
      delivered: (100 * seen.total) / (count * expected),
      p50: latenessAt(seen, 0.5),
      p99: latenessAt(seen, 0.99),
      'µs per delivery': (1_000 * spentMs) / seen.total,
    }
  } finally {
    await readers.close()
  }
}

/** The stream of a space after an event. */
export const streamAfter = ({ key }: Human, { space_id, event_id }: Cursor): Request => ({
  path: `/api/spaces/${space_id}/events/stream?since=${event_id}`,
  headers: { Authorization: `Bearer ${key}` },
})

const words = text(seededRandom(17))

/** A speech of the usual length that tells when it was sent. */
export const stampedSpeech = (human: Human, spaceId: string) =>
  speechRequest(human, spaceId, `${stamp()} ${words}`.slice(0, 300))
