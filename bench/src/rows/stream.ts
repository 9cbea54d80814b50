import type { Row } from '../row.js'
import { serviceFanOut } from '../streams/fan-out.js'

export const stream: Row = {
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
  async service(bench) {
    return { measures: { service: await serviceFanOut({ bench, readers: bench.sizes.readers }) } }
  },
}
