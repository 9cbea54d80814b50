import type { Row } from '../row.js'
import { pgbench } from '../tools/pgbench.js'
import { wrk } from '../tools/wrk.js'
import { appendLoad } from '../workload/append-load.js'
import { fetchAll } from '../workload/request.js'
import { appends, speeches, texts } from '../workload/speeches.js'

const TEXTS = 16
const CLIENTS = 16

export const speech: Row = {
  name: 'speech',
  title: 'speech in 100 spaces, durable',
  about:
    'POST /api/spaces/{id}/speech of 300 characters with metadata, from 16 and from 64 connections, against the ' +
    'statement that appends one event (pgbench, 16 clients), and against the rate at which PostgreSQL commits: a row of ' +
    'the same text in a table without an index, which is the most that durable writes can reach.',
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
    {
      measured: 'the same, of the rate of commits',
      side: 'service, 64 connections',
      figure: 'perSecond',
      against: 'commits',
      bound: 'at least',
      must: 0.2,
      aim: 0.4,
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
    const load = { numbers: spaces.length, clients: CLIENTS, seconds }
    const { connection, directory } = service
    await service.query('CREATE TABLE commits (text text NOT NULL)')
    const statements = texts(TEXTS).map((text) => ({ text: 'INSERT INTO commits (text) VALUES ($1)', values: [text] }))
    return {
      measures: {
        pgbench: () => appendLoad(service, { statements: appends(human, TEXTS), ...load }),
        commits: () => pgbench({ connection, directory, statements, ...load }),
      },
      close: () => service.query('DROP TABLE commits'),
    }
  },
}
