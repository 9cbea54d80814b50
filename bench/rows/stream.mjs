import { newestEvent } from '../pages.mjs'
import { stampedSpeech, streamOf, watch } from '../streams/watch.mjs'

/** @import { Row } from '../row.mjs' */

/** @type {Row} */
export const stream = {
  name: 'stream',
  title: 'stream to 5,000 readers, 100 events a second',
  about:
    'How late an event is from just before the request that writes it to its arrival at each of the readers of ' +
    'GET …/events/stream, and whether all of them got all. The readers are two processes on the same cores.',
  tools: [],
  claims: [
    {
      measured: 'stream, 5,000 readers × 100 events/s: delivered',
      side: 'service',
      figure: 'delivered',
      bound: 'at least',
      unit: '%',
      must: 100,
      aim: 100,
    },
    {
      measured: 'the same, p99',
      side: 'service',
      figure: 'p99',
      bound: 'at most',
      unit: 'ms',
      must: 100,
      aim: 50,
    },
  ],
  async open({ sizes, stage }) {
    const { service, human, spaces } = await stage()
    const space = /** @type {string} */ (spaces[1])
    return {
      sides: {
        service: async () =>
          watch({
            readAt: service.url,
            streams: [streamOf(human, await newestEvent(service, human, space))],
            readers: sizes.readers,
            writeAt: service.url,
            requestOf: () => stampedSpeech(human, space),
            perSecond: sizes.eventsPerSecond,
            seconds: sizes.streamSeconds,
          }),
      },
    }
  },
}
