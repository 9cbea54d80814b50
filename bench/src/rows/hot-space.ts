import type { Row } from '../row.js'
import { wrk } from '../tools/wrk.js'
import { appendLoad } from '../workload/append-load.js'
import { fetchAll } from '../workload/request.js'
import { appends, speeches } from '../workload/speeches.js'

const CONNECTIONS = 64
const TEXTS = 4

export const hotSpace: Row = {
  name: 'hot-space',
  title: 'speech in one hot space, 64 connections',
  about:
    'POST /api/spaces/{id}/speech, all into one space, against the statement that appends one event to it (pgbench, ' +
    '64 clients): each waits for the row lock, unless they share a commit.',
  tools: ['wrk', 'pgbench'],
  claims: [
    {
      measured: 'speech, one hot space, 64 connections',
      side: 'service',
      figure: 'perSecond',
      against: 'pgbench',
      bound: 'at least',
      must: 3,
      aim: 5,
    },
  ],
  async service({ sizes: { seconds }, stage }) {
    const { service, human, spaces } = await stage()
    const { url, directory } = service
    const requests = speeches(human, spaces.slice(0, 1), TEXTS)
    await fetchAll(url, requests.slice(0, 1))
    return { measures: { service: () => wrk({ url, requests, connections: CONNECTIONS, seconds, directory }) } }
  },
  async baselines({ sizes: { seconds }, stage }) {
    const { service, human } = await stage()
    const load = { statements: appends(human, TEXTS), clients: CONNECTIONS, seconds }
    return { measures: { pgbench: () => appendLoad(service, load) } }
  },
}
