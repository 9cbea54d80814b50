import type { Figures, Row } from '../row.js'
import type { Server } from '../service/server.js'
import { processorTime, processorTimeOfFamily } from '../tools/processor.js'
import { wrk } from '../tools/wrk.js'
import { cursorsIn, pageRequests, requireFullPages } from '../workload/pages.js'
import type { Request } from '../workload/request.js'
import { speeches } from '../workload/speeches.js'

const INSTANCES = [1, 2, 3]
const CONNECTIONS = 24
const PAGES = 100
const TEXTS = 16

export const scaling: Row = {
  name: 'scaling',
  title: `one, two and three instances on one PostgreSQL, ${CONNECTIONS} connections in all`,
  about:
    'Lists of 50 events and speech into 100 spaces, spread over the servers. As load, servers and database share the ' +
    'cores of one machine, requests per second say little; what counts is the processor time that a request takes of ' +
    'its server and of the database, which must not grow with the number of servers.',
  tools: ['wrk'],
  claims: [],
  async service({ sizes: { seconds }, stage }) {
    const { service, human, spaces } = await stage()
    const others = [await service.startAnother(), await service.startAnother()]
    const servers = [service.server, ...others.map(({ server }) => server)]
    const pages = pageRequests(human, await cursorsIn(service, human, spaces, PAGES))
    await requireFullPages(service.url, pages)
    const writes = speeches(human, spaces, TEXTS)
    const postmaster = await service.postmaster()

    const through = (count: number, requests: readonly Request[]) => () =>
      spread({ servers: servers.slice(0, count), postmaster, requests, seconds, directory: service.directory })
    return {
      measures: Object.fromEntries(
        INSTANCES.flatMap((count) => [
          [`list, ${count}`, through(count, pages)],
          [`speech, ${count}`, through(count, writes)],
        ]),
      ),
      close: () => Promise.all(others.map(({ stop }) => stop())),
    }
  },
}

interface SpreadLoad {
  readonly servers: readonly Server[]
  readonly postmaster: number
  readonly requests: readonly Request[]
  readonly seconds: number
  readonly directory: string
}

/** Distributes the connections over the servers, and measures the processor time per request. */
async function spread({ servers, postmaster, requests, seconds, directory }: SpreadLoad): Promise<Figures> {
  const spent = async () => ({
    servers: sum(await Promise.all(servers.map(({ pid }) => processorTime(pid)))),
    database: await processorTimeOfFamily(postmaster),
  })
  const before = await spent()
  const load = { requests, connections: CONNECTIONS / servers.length, seconds, directory }
  const results = await Promise.all(servers.map(({ url }) => wrk({ url, ...load })))
  const after = await spent()
  const perSecond = sum(results.map((result) => result.perSecond))
  const microsecondsEach = (milliseconds: number) => (milliseconds * 1_000) / (perSecond * seconds)
  return {
    perSecond,
    p99: Math.max(...results.map(({ p99 }) => p99)),
    serverMicroseconds: microsecondsEach(after.servers - before.servers),
    databaseMicroseconds: microsecondsEach(after.database - before.database),
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
