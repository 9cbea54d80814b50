import { startNchan } from '../baselines/nchan.js'
import type { Row } from '../row.js'
import { relayFanOut, serviceFanOut } from '../streams/fan-out.js'

export const nchan: Row = {
  name: 'nchan',
  title: 'stream to 5,000 readers beside nginx with nchan',
  about:
    'The row `stream` against nginx with nchan, a relay of server-sent events in C, in one process. It checks no key, ' +
    'and stores nothing.',
  tools: ['cc', 'nginx', 'nchan'],
  claims: [
    {
      measured: 'stream beside nchan, p99',
      side: 'service',
      figure: 'p99',
      against: 'nchan',
      bound: 'at most',
      must: 1.5,
      aim: 1,
    },
    {
      measured: 'the same, processor time per delivery',
      side: 'service',
      figure: 'µs per delivery',
      against: 'nchan',
      bound: 'at most',
      must: 2,
      aim: 1,
    },
  ],
  async service(bench) {
    return { measures: { service: await serviceFanOut(bench) } }
  },
  async baselines(bench) {
    const { service } = await bench.stage()
    const baseline = await startNchan(service.directory)
    return { measures: { nchan: await relayFanOut(baseline, bench) }, close: baseline.stop }
  },
}
