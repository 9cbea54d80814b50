import type { Row } from '../row.js'
import { wrk } from '../tools/wrk.js'
import { appendLoad } from '../workload/append-load.js'
import { fetchAll } from '../workload/request.js'
import { appends, speeches } from '../workload/speeches.js'

const TEXTS = 16

export const speech: Row = {
  name: 'speech',
  title: 'speech in 100 spaces, durable',
  about:
    'POST /api/spaces/{id}/speech of 300 characters with metadata, from 16 and from 64 connections, against the ' +
    'statement that appends one event (pgbench, 16 clients).',
  tools: ['wrk', 'pgbench'],
  claims: [
    {
      measured: 'speech, 100 spaces, 16 connections, durable',
      side: 'service, 16 connections',
      figure: 'perSecond',
      against: 'pgbench',
      bound: 'at least',
      must: 0.55,
      aim: 0.8,
    },
    {
      measured: 'the same, p99',
      side: 'service, 16 connections',
      figure: 'p99',
      against: 'pgbench',
      bound: 'at most',
      must: 3,
      aim: 2,
    },
    {
      measured: 'the same at 64 connections',
      side: 'service, 64 connections',
      figure: 'perSecond',
      against: 'pgbench',
      bound: 'at least',
      must: 1.2,
      aim: 1.5,
    },
  ],
  async service({ sizes: { seconds }, stage }) {
    const { service, human, spaces } = await stage()
    const { url, directory } = service
    const requests = speeches(human, spaces, TEXTS)
    await fetchAll(url, requests.slice(0, 1))
    return {
      measures: {
        'service, 16 connections': () => wrk({ url, requests, connections: 16, seconds, directory }),
        'service, 64 connections': () => wrk({ url, requests, connections: 64, seconds, directory }),
      },
    }
  },
  async baselines({ sizes: { seconds }, stage }) {
    const { service, human, spaces } = await stage()
    const load = { statements: appends(human, TEXTS), numbers: spaces.length, clients: 16, seconds }
    return { measures: { pgbench: () => appendLoad(service, load) } }
  },
}
