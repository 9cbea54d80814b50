import { publish, stampedText } from './publish.mjs'
import { latenessAt, Readers } from './readers.mjs'

/** @import { Human } from '../service.mjs' */
/** @import { Request } from '../wrk.mjs' */

/**
 * Opens streams, sends events at an even pace, and says how late they were seen by their readers: from just before the
 * request of the writer to the arrival of the bytes.
 * @param {object} watch
 * @param {string} watch.readAt
 * @param {readonly Request[]} watch.streams Each is read by an equal share of the readers.
 * @param {number} watch.readers
 * @param {string} watch.writeAt
 * @param {(n: number) => Request} watch.requestOf Event n goes to stream n, counted round.
 * @param {number} watch.perSecond
 * @param {number} watch.seconds
 */
export async function watch({ readAt, streams, readers: count, writeAt, requestOf, perSecond, seconds }) {
  const readers = await Readers.open(readAt, streams, count)
  try {
    const sent = await publish({ url: writeAt, requestOf, perSecond, seconds })
    const expected = sent / streams.length
    const { seen, lateness } = await readers.seen(expected)
    if (seen.some((one) => one > expected)) throw new Error('a reader saw an event twice')
    const delivered = seen.reduce((sum, one) => sum + one, 0)
    return {
      delivered: (100 * delivered) / (count * expected),
      p50: latenessAt(lateness, 0.5),
      p99: latenessAt(lateness, 0.99),
    }
  } finally {
    await readers.close()
  }
}

/** The stream of a space from its newest event on. @param {Human} human @param {{ space_id: string, event_id: string }} newest @returns {Request} */
export const streamOf = ({ key }, { space_id, event_id }) => ({
  path: `/api/spaces/${space_id}/events/stream?since=${event_id}`,
  headers: { Authorization: `Bearer ${key}` },
})

/** A speech that tells when it was sent. @param {Human} human @param {string} spaceId @returns {Request} */
export const stampedSpeech = ({ key }, spaceId) => ({
  method: 'POST',
  path: `/api/spaces/${spaceId}/speech`,
  headers: { Authorization: `Bearer ${key}` },
  body: { text: stampedText(), metadata: { client: 'web', mood: 3 } },
})
