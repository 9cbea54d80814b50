import { afterwards } from '../afterwards.mjs'
import { newestEvent } from '../pages.mjs'
import { databaseUrl, Server } from '../server.mjs'
import { stampedSpeech, streamOf, watch } from '../streams/watch.mjs'

/** @import { Row } from '../row.mjs' */

const SPACES = 10
const PER_SECOND = 200

/** @type {Row} */
export const instances = {
  name: 'instances',
  title: 'seen by a reader of another instance, 200 events a second',
  about:
    'Two servers on one PostgreSQL: how late an event in one of ten spaces is, from just before the request that writes ' +
    'it on one server to its arrival at a reader of a stream of the other.',
  tools: [],
  claims: [
    {
      measured: 'event written → seen by a reader of another instance, p99, at 200 events/s',
      side: 'service',
      figure: 'p99',
      bound: 'at most',
      unit: 'ms',
      must: 50,
      aim: 15,
    },
    {
      measured: 'the same: delivered',
      side: 'service',
      figure: 'delivered',
      bound: 'at least',
      unit: '%',
      must: 100,
      aim: 100,
    },
  ],
  async open({ sizes, stage }) {
    const { service, human, spaces } = await stage()
    const some = spaces.slice(0, SPACES)
    const other = await Server.start(service.directory, { DATABASE_URL: databaseUrl(service.connection) })
    const stop = afterwards(() => other.stop())
    return {
      sides: {
        service: async () =>
          watch({
            readAt: other.url,
            streams: await Promise.all(
              some.map(async (space) => streamOf(human, await newestEvent(service, human, space))),
            ),
            readers: SPACES,
            writeAt: service.url,
            requestOf: (n) => stampedSpeech(human, /** @type {string} */ (some[n % SPACES])),
            perSecond: PER_SECOND,
            seconds: sizes.streamSeconds,
          }),
      },
      close: stop,
    }
  },
}
