import { setTimeout as delay } from 'node:timers/promises'
import { inDatabase, postmasterOf, query } from '@collab-spaces/testing/programs'
import { Load } from '../load/load.js'
import type { Row } from '../row.js'
import { startPostgres } from '../service/postgres.js'
import { settingsFor } from '../trial.js'

/** The supervisor gives up after repeated crashes. */
const MAX_KILLS = 8
const DATABASE = 'torture'

export const killPostgres: Row = {
  name: 'F2',
  title: 'PostgreSQL killed under load',
  about:
    'Three instances under load; PostgreSQL, or one of its backends, is killed (SIGKILL). The servers stay up, answer ' +
    '503 with a retry time, recover without a restart, and acknowledged writes are kept.',
  async run(trial) {
    const postgres = await startPostgres(await trial.directory())
    trial.cleanup.add(postgres.stop)
    const connection = inDatabase(postgres.template, DATABASE)
    await query(inDatabase(postgres.template, 'postgres'), `CREATE DATABASE ${DATABASE} TEMPLATE spaces_template`)
    const instances = await trial.instances(3, settingsFor(connection))
    const pids = instances.map(({ program }) => program.pid)
    const load = await Load.start(trial, { urls: instances.map(({ url }) => url) })
    let kills = 0
    while (trial.hasTimeFor(kills) && kills < MAX_KILLS) {
      await load.more(trial.between(1, 300))
      const backend = trial.random() < 0.3 ? await someBackend(connection) : undefined
      const victim = backend ?? (await postmasterOf(postgres.dataDir))
      if (victim === undefined) throw new Error('PostgreSQL was not started again')
      process.kill(victim, 'SIGKILL')
      kills++
      await delay(trial.between(0, 500))
    }
    await load.more(50)
    const counts = await load.finish(connection)
    for (const [n, { program }] of instances.entries()) {
      trial.require(!program.isOver && program.pid === pids[n], `instance ${n + 1} has ended: ${program.stderr}`)
    }
    return { ...counts, kills }
  },
}

async function someBackend(connection: Parameters<typeof query>[0]): Promise<number> {
  const { rows } = await query(
    connection,
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
     ORDER BY state = 'active' DESC LIMIT 1`,
  )
  return rows[0].pid
}
