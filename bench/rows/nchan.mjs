import { startNchan } from '../baseline/nchan.mjs'
import { newestEvent } from '../pages.mjs'
import { stampedSpeech, streamOf, watch } from '../streams/watch.mjs'

/** @import { Row } from '../row.mjs' */

/** @type {Row} */
export const nchan = {
  name: 'nchan',
  title: 'stream to 1,000 readers, 100 events a second, beside nchan',
  about:
    'The same as the row stream with fewer readers, against nginx with nchan (one worker, as our server is one ' +
    'process), which is sent the same bodies and stores nothing.',
  tools: ['nginx'],
  peers: true,
  claims: [
    {
      measured: 'stream, 1,000 readers × 100 events/s, p99',
      side: 'service',
      figure: 'p99',
      against: 'nchan',
      bound: 'at most',
      must: 1.2,
      aim: 0.9,
    },
  ],
  async open({ sizes, stage }) {
    const { service, human, spaces } = await stage()
    const space = /** @type {string} */ (spaces[2])
    const peer = await startNchan()
    const load = {
      readers: sizes.readersBesidePeer,
      perSecond: sizes.eventsPerSecond,
      seconds: sizes.streamSeconds,
    }
    return {
      sides: {
        service: async () =>
          watch({
            readAt: service.url,
            streams: [streamOf(human, await newestEvent(service, human, space))],
            writeAt: service.url,
            requestOf: () => stampedSpeech(human, space),
            ...load,
          }),
        nchan: () =>
          watch({
            readAt: peer.url,
            streams: [{ path: '/stream', headers: { Accept: 'text/event-stream' } }],
            writeAt: peer.url,
            requestOf: () => ({ ...stampedSpeech(human, space), path: '/publish', body: eventLike(human, space) }),
            ...load,
          }),
      },
      close: peer.stop,
    }
  },
}

/** What our readers get of a speech, so that nchan has as much to send. @param {import('../service.mjs').Human} human @param {string} space */
function eventLike(human, space) {
  const { body } = stampedSpeech(human, space)
  return {
    event_id: '00000000-0000-7000-8000-000000000000',
    space_id: space,
    speaker_id: human.actorId,
    speaker_name: human.name,
    speaker_type: 'human',
    timestamp: '2000-01-01T00:00:00.000Z',
    parent_event_id: null,
    references: [],
    thread_id: null,
    .../** @type {object} */ (body),
    posted_by: human.actorId,
  }
}
