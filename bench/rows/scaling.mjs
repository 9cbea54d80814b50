import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cursorsIn, pageRequests, requireFull } from '../pages.mjs'
import { processorTime, processorTimeOfFamily } from '../processor.mjs'
import { speeches } from '../said.mjs'
import { databaseUrl, Server } from '../server.mjs'
import { answersTo, wrk } from '../wrk.mjs'

/** @import { Figures, Row } from '../row.mjs' */
/** @import { Service } from '../service.mjs' */
/** @import { Request } from '../wrk.mjs' */

const INSTANCES = [1, 2, 3]
const CONNECTIONS = 24
const PAGES = 100
const TEXTS = 16

/** @type {Row} */
export const scaling = {
  name: 'scaling',
  title: `one, two and three instances on one PostgreSQL, ${CONNECTIONS} connections in all`,
  about:
    'Lists of 50 events and speech into 100 spaces, spread over so many servers. As load, servers and database share the ' +
    'cores of one machine, requests a second say little: what scales is told by the processor time that a request takes ' +
    'of its server and of the database, which must not grow with the number of servers.',
  tools: ['wrk'],
  claims: [],
  async open({ sizes: { seconds }, stage }) {
    const { service, human, spaces } = await stage()
    const settings = { DATABASE_URL: databaseUrl(service.connection) }
    const servers = [service.server]
    while (servers.length < Math.max(...INSTANCES)) servers.push(await Server.start(service.directory, settings))
    const pages = pageRequests(human, await cursorsIn(service, human, spaces, PAGES))
    requireFull(await answersTo(service.url, pages))
    const postmaster = await postmasterOf(service)

    /** @param {number} count @param {readonly Request[]} requests @returns {Promise<Figures>} */
    async function through(count, requests) {
      const used = servers.slice(0, count)
      const spent = async () => ({
        servers: (await Promise.all(used.map(({ pid }) => processorTime(pid)))).reduce((sum, time) => sum + time, 0),
        database: await processorTimeOfFamily(postmaster),
      })
      const before = await spent()
      const connections = CONNECTIONS / count
      const load = { requests, connections, seconds, directory: service.directory }
      const answers = await Promise.all(used.map(({ url }) => wrk({ url, ...load })))
      const after = await spent()
      const perSecond = answers.reduce((sum, answer) => sum + answer.perSecond, 0)
      return {
        perSecond,
        p99: Math.max(...answers.map(({ p99 }) => p99)),
        serverMicroseconds: ((after.servers - before.servers) * 1_000) / (perSecond * seconds),
        databaseMicroseconds: ((after.database - before.database) * 1_000) / (perSecond * seconds),
      }
    }

    const writes = speeches(human, spaces, TEXTS)
    return {
      sides: Object.fromEntries(
        INSTANCES.flatMap((count) => [
          [`list, ${count}`, () => through(count, pages)],
          [`speech, ${count}`, () => through(count, writes)],
        ]),
      ),
      close: () => Promise.all(servers.slice(1).map((server) => server.stop())),
    }
  },
}

/** The process of the embedded PostgreSQL. @param {Service} service */
async function postmasterOf({ directory }) {
  const note = await readFile(join(directory, 'data', 'postgres', 'postmaster.pid'), 'utf8')
  return Number.parseInt(note, 10)
}
