import { startNchan } from '../baselines/nchan.js'
import type { Row } from '../row.js'
import { relayFanOut, serviceFanOut } from '../streams/fan-out.js'

export const nchan: Row = {
  name: 'nchan',
  title: 'stream to 1,000 readers, 100 events a second, beside nchan',
  about:
    'The same as the row stream with fewer readers, against nginx with nchan (one worker, as our server is one ' +
    'process), which is sent the same bodies and stores nothing.',
  tools: ['cc', 'nginx'],
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
  async service(bench) {
    return { measures: { service: await serviceFanOut(bench, bench.sizes.readersBesidePeer) } }
  },
  async baselines(bench) {
    const { url, stop } = await startNchan()
    return { measures: { nchan: await relayFanOut(url, bench, bench.sizes.readersBesidePeer) }, close: stop }
  },
}
