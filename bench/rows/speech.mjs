import { pgbench } from '../pgbench.mjs'
import { appends, speeches } from '../said.mjs'
import { answersTo, wrk } from '../wrk.mjs'

/** @import { Row } from '../row.mjs' */

const TEXTS = 16

/** @type {Row} */
export const speech = {
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
      measured: 'the same at 64 connections',
      side: 'service, 64 connections',
      figure: 'perSecond',
      against: 'pgbench',
      bound: 'at least',
      must: 0.85,
      aim: 1.2,
    },
  ],
  async open({ sizes: { seconds }, stage }) {
    const { service, human, spaces } = await stage()
    const { url, connection, directory } = service
    const requests = speeches(human, spaces, TEXTS)
    const statements = appends(human, TEXTS)
    await answersTo(url, requests.slice(0, 1))
    return {
      sides: {
        'service, 16 connections': () => wrk({ url, requests, connections: 16, seconds, directory }),
        'service, 64 connections': () => wrk({ url, requests, connections: 64, seconds, directory }),
        pgbench: () => pgbench({ connection, statements, numbers: spaces.length, clients: 16, seconds, directory }),
      },
    }
  },
}
