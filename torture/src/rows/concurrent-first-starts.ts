import { setTimeout as delay } from 'node:timers/promises'
import { inDatabase, query } from '@collab-spaces/testing/programs'
import { Load } from '../load/load.js'
import type { Row } from '../row.js'
import { Instance } from '../service/instance.js'
import { startPostgres } from '../service/postgres.js'
import { settingsFor } from '../trial.js'

export const concurrentFirstStarts: Row = {
  name: 'F11',
  title: 'concurrent first starts',
  about:
    'Three instances start concurrently on an empty database, and one is killed during the migrations. One migrates ' +
    'at a time, the other instances start, and the killed one starts on its next attempt.',
  async run(trial) {
    const postgres = await startPostgres(await trial.directory())
    trial.cleanup.add(postgres.stop)
    let starts = 0
    let counts = {}
    while (trial.hasTimeFor(starts)) {
      const connection = await emptyDatabase(postgres.template, `first_${starts++}`)
      const instances: Instance[] = []
      for (let n = 0; n < 3; n++) instances.push(await Instance.at(settingsFor(connection)))
      for (const instance of instances) trial.cleanup.add(() => instance.kill())
      for (const instance of instances) instance.launch()
      const victim = trial.pick(instances)
      await delay(trial.between(100, 2_000))
      await victim.kill()
      const others = instances.filter((instance) => instance !== victim)
      await Promise.all(others.map(({ program }) => program.url()))
      await victim.start()
      const { rows } = await query(
        connection,
        `SELECT count(*)::int AS rows, count(DISTINCT migration_name)::int AS names, count(finished_at)::int AS finished
         FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
      )
      const [{ rows: all, names, finished }] = rows
      trial.require(all === names && all === finished, `${all} migrations begun, ${finished} finished, of ${names}`)
      const load = await Load.start(trial, { urls: instances.map(({ url }) => url), writers: 3, readers: 3 })
      await load.more(20)
      counts = await load.finish(connection)
      for (const instance of instances) await instance.kill()
    }
    return { ...counts, 'first starts': starts, killed: starts }
  },
}

async function emptyDatabase(server: Parameters<typeof query>[0], name: string) {
  await query(inDatabase(server, 'postgres'), `CREATE DATABASE ${name}`)
  return inDatabase(server, name)
}
