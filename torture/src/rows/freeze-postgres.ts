import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually, inDatabase, query } from '@collab-spaces/testing/programs'
import { Load } from '../load/load.js'
import type { Row } from '../row.js'
import { type OutgoingRequest, send } from '../service/http.js'
import type { Instance } from '../service/instance.js'
import { processesOf, startPostgres } from '../service/postgres.js'
import { settingsFor } from '../trial.js'

/** The timeout for a lock or a connection is two seconds, and the machine is busy. */
const ANSWER_TIMEOUT_MS = 4_000
/** A search, a digest or a batch has a database timeout of five seconds, and is cancelled shortly after it. */
const HEAVY_TIMEOUT_MS = 6_500
const DATABASE = 'torture'

export const freezePostgres: Row = {
  name: 'F14',
  title: 'the database frozen',
  waitsLong: true,
  about:
    'All processes of PostgreSQL, or only those that serve connections, are stopped (SIGSTOP) under load. Requests are ' +
    `answered within ${ANSWER_TIMEOUT_MS / 1_000} s, and searches, digests and batches within ` +
    `${HEAVY_TIMEOUT_MS / 1_000} s, successfully or with 503. /health answers, and everything recovers with PostgreSQL.`,
  async run(trial) {
    const postgres = await startPostgres(await trial.directory())
    trial.cleanup.add(postgres.stop)
    const connection = inDatabase(postgres.template, DATABASE)
    await query(inDatabase(postgres.template, 'postgres'), `CREATE DATABASE ${DATABASE} TEMPLATE spaces_template`)
    const [{ url }] = (await trial.instances(1, settingsFor(connection))) as [Instance]
    const load = await Load.start(trial, { urls: [url] })
    let freezes = 0
    let slowest = 0
    while (trial.hasTimeFor(freezes)) {
      await load.more(trial.between(20, 200))
      const thaw = await freeze(postgres.dataDir, connection, trial.random() < 0.5)
      trial.cleanup.add(thaw)
      const requests = Array.from({ length: trial.between(1, 4) }, () => requestsOf(load)).flat()
      const asked = requests.map(async (request) => {
        const begun = performance.now()
        const answer = await send(url, request).catch(() => null)
        const took = performance.now() - begun
        slowest = Math.max(slowest, took)
        trial.requireWithin(
          isHeavy(request) ? HEAVY_TIMEOUT_MS : ANSWER_TIMEOUT_MS,
          took,
          `${request.path} was answered after`,
        )
        if (answer && answer.status !== 200) load.refusals.add(answer)
        return answer
      })
      const health = await send(url, { path: '/health' }).catch(() => null)
      trial.require(health?.status === 200, '/health does not answer')
      await Promise.all(asked)
      // Long enough for the timeouts.
      await delay(trial.between(4_000, 8_000))
      thaw()
      freezes++
      const writable = async () => {
        await load.more(10, 5_000)
        return true
      }
      await eventually(writable, 20_000)
    }
    const { slowestWrite } = load
    trial.requireWithin(HEAVY_TIMEOUT_MS, slowestWrite, 'a writer had no answer for')
    slowest = Math.max(slowest, slowestWrite)
    return { ...(await load.finish(connection)), freezes, 'slowest ms': Math.round(slowest) }
  },
}

function requestsOf({ key, spaces }: Load): OutgoingRequest[] {
  const [hot] = spaces
  return [
    { path: `/api/spaces/${hot}/events`, key },
    { path: `/api/spaces/${hot}/status`, key },
    { path: `/api/spaces/${hot}/decisions`, key },
    { path: `/api/spaces/${hot}/activity`, key },
    { path: `/api/search?q=writer&space_id=${hot}`, key },
    { path: '/api/spaces', key },
    { path: '/api/spaces', key, body: { space_id: randomUUID() } },
    { path: '/ready' },
  ]
}

const isHeavy = ({ path }: OutgoingRequest) => path.includes('/search') || path.includes('/activity')

/** Stops the processes of PostgreSQL, all or only those with a client. Returns a function that continues them. */
async function freeze(dataDir: string, connection: Parameters<typeof query>[0], all: boolean): Promise<() => void> {
  const pids = all ? await processesOf(dataDir) : await backends(connection)
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) signalTo(pid, name)
  }
  signal('SIGSTOP')
  return () => signal('SIGCONT')
}

async function backends(connection: Parameters<typeof query>[0]): Promise<number[]> {
  const { rows } = await query(
    connection,
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  )
  return rows.map(({ pid }) => pid)
}

/** A process that has exited needs no signal. */
function signalTo(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {}
}
