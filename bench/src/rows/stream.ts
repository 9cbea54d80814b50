import { startBaseline } from '../baselines/program.js'
import type { Row } from '../row.js'
import { relayFanOut, serviceFanOut } from '../streams/fan-out.js'

export const stream: Row = {
  name: 'stream',
  title: 'stream to 5,000 readers, 50 events a second',
  about:
    'The delay of an event, from just before the request that writes it to its arrival at each reader of ' +
    'GET …/events/stream, the processor time that it costs, and whether every reader got every event; against the least that Node can do: a program that ' +
    'stores nothing, and in each turn of its event loop writes what came in to all sockets as one buffer.',
  tools: ['cc'],
  claims: [
    {
      measured: 'stream, 5,000 readers × 50 events/s: delivered',
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
      against: 'fan-out',
      bound: 'at most',
      must: 1.5,
      aim: 1,
    },
    {
      measured: 'the same, processor time per delivery',
      side: 'service',
      figure: 'µs per delivery',
      against: 'fan-out',
      bound: 'at most',
      must: 1.25,
      aim: 1.1,
    },
  ],
  async service(bench) {
    return { measures: { service: await serviceFanOut(bench) } }
  },
  async baselines(bench) {
    const baseline = await startBaseline('fan-out')
    return { measures: { 'fan-out': await relayFanOut(baseline, bench) }, close: baseline.stop }
  },
}
