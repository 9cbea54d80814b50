import { pgbench } from '../pgbench.mjs'
import { appends, speeches } from '../said.mjs'
import { answersTo, wrk } from '../wrk.mjs'

/** @import { Row } from '../row.mjs' */

const CONNECTIONS = 64
const TEXTS = 4

/** @type {Row} */
export const hotSpace = {
  name: 'hot-space',
  title: 'speech in one hot space, 64 connections',
  about:
    'POST /api/spaces/{id}/speech, all into one space, against the statement that appends one event to it (pgbench, ' +
    '64 clients): each has to wait for the others, unless they share their commit.',
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
  async open({ sizes: { seconds }, stage }) {
    const { service, human, spaces } = await stage()
    const { url, connection, directory } = service
    const requests = speeches(human, spaces.slice(0, 1), TEXTS)
    const statements = appends(human, TEXTS)
    await answersTo(url, requests.slice(0, 1))
    return {
      sides: {
        service: () => wrk({ url, requests, connections: CONNECTIONS, seconds, directory }),
        pgbench: () => pgbench({ connection, statements, clients: CONNECTIONS, seconds, directory }),
      },
    }
  },
}
