import type { Row } from '../row.js'
import { stampedSpeech, streamAfter, watch } from '../streams/watch.js'
import { newestEvent } from '../workload/pages.js'

const SPACES = 10
const PER_SECOND = 200

export const instances: Row = {
  name: 'instances',
  title: 'events seen on another instance, 200 a second',
  about:
    'Two servers on one PostgreSQL: the delay of an event in one of ten spaces, from just before the request that writes ' +
    'it on one server to its arrival at a reader of the other.',
  tools: ['cc'],
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
  async service({ sizes, stage }) {
    const { service, human, spaces } = await stage()
    const some = spaces.slice(0, SPACES)
    const other = await service.startAnother()
    const streams = () =>
      Promise.all(some.map(async (space) => streamAfter(human, await newestEvent(service, human, space))))
    const writes = {
      url: service.url,
      requestOf: (n: number) => stampedSpeech(human, String(some[n % SPACES])),
      perSecond: PER_SECOND,
      seconds: sizes.streamSeconds,
    }
    return {
      measures: {
        service: async () =>
          watch({ readAt: other.server.url, pid: other.server.pid, streams: await streams(), readers: SPACES, writes }),
      },
      close: other.stop,
    }
  },
}
