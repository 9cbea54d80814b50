import { setTimeout as delay } from 'node:timers/promises'
import type { ConnectionOptions } from '@collab-spaces/db'
import { eventually, query } from '@collab-spaces/testing/programs'
import { Load } from '../load/load.js'
import type { Row } from '../row.js'
import { send } from '../service/http.js'

/** More writers than can be served in time, each with one pending request. */
const WRITERS_PER_READER = 10

export const overload: Row = {
  name: 'L3',
  title: 'more than an instance can take',
  about:
    'Hundreds of writers at one instance whose inserts are all slow. Every request is answered, refusals are 429 or 503 with a ' +
    'reason and a retry time, /health answers throughout, and afterwards everything recovers.',
  runsAlone: true,
  async run(trial) {
    const { connection, instances } = await trial.cluster(1)
    const [{ url }] = instances as [(typeof instances)[0]]
    const { readers } = trial.sizes
    const writers = readers * WRITERS_PER_READER
    const load = await Load.start(trial, { urls: [url], writers, readers })
    await load.more(1)
    const { beSlow, beFast } = await slowInserts(connection)
    trial.cleanup.add(beFast)
    let probes = 0
    let worst = 0
    while (trial.hasTimeFor(probes / 10)) {
      await beSlow(trial.between(100, 1_500))
      for (let n = 0; n < 10; n++) {
        const begun = performance.now()
        const health = await send(url, { path: '/health' }).catch(() => null)
        worst = Math.max(worst, performance.now() - begun)
        trial.require(health?.status === 200, `/health was answered ${health?.status ?? 'not at all'}`)
        probes++
        await delay(50)
      }
    }
    await beFast()
    await eventually(async () => {
      const before = load.notes.acknowledged
      await load.more(writers, 5_000)
      return load.notes.acknowledged > before
    }, 20_000)
    const counts = await load.finish(connection)
    const { broken } = load.refusals
    trial.require(broken === 0, `${broken} requests were not answered at all`)
    return { ...counts, 'checks of /health': probes, 'slowest ms': Math.round(worst) }
  },
}

async function slowInserts(connection: ConnectionOptions) {
  await query(connection, 'CREATE TABLE slowness (seconds float8); INSERT INTO slowness VALUES (0)')
  await query(
    connection,
    `CREATE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN PERFORM pg_sleep((SELECT seconds FROM slowness)); RETURN NULL; END';
     CREATE TRIGGER be_slow AFTER INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION be_slow()`,
  )
  const beSlow = (ms: number) => query(connection, 'UPDATE slowness SET seconds = $1', [ms / 1_000])
  return { beSlow, beFast: () => beSlow(0) }
}
