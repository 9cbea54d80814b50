import { spawnSync } from 'node:child_process'
import { Example } from '../high-availability/example.js'
import { FAULTS } from '../high-availability/faults.js'
import { injectFault, injectFaultUnprotected, isLoss, loadOn } from '../high-availability/inject-fault.js'
import type { Counts, Row } from '../row.js'
import { Trial } from '../trial.js'

/** A load that leaves the processors of the one machine idle half of the time. */
const LOAD = { writers: 8, restMs: 40 }
const PROGRAMS = ['haproxy', 'etcd', 'patroni']

export const highAvailability: Row = {
  name: 'HA',
  title: 'database machines killed, frozen and switched',
  waitsLong: true,
  limitSeconds: 600,
  tests: 'examples/high-availability/test',
  about:
    'examples/high-availability under load: the primary is killed, or frozen and woken after a failover; a planned ' +
    'switch-over; one standby or both, the leader of etcd, all of it, or everything at once is killed; the connection to the ' +
    'database is cut. Writes are back within ten seconds, within three after the planned one; without a standby ten ' +
    'seconds after one is back; every answer arrives within 2.6 s; no server exits. Finally, replication is made ' +
    'asynchronous, and the checker finds the losses.',
  whyNot: async () => {
    // biome-ignore lint/style/noProcessEnv: programs are found where this one finds them
    const PATH = `${process.env.PATH}:/usr/local/sbin:/usr/sbin`
    const missing = PROGRAMS.filter((program) => spawnSync(program, ['--version'], { env: { PATH } }).error)
    return missing.length === 0 ? undefined : `${missing.join(' and ')} not installed (examples/high-availability)`
  },
  async run(trial) {
    const example = await Example.start(await trial.directory(), (begun) => trial.cleanup.add(() => begun.stop()))
    const load = await loadOn(example, trial, LOAD)
    const faults = trial.isFull ? FAULTS : [trial.pick(FAULTS.filter(({ endsServers }) => !endsServers))]
    const measured: Record<string, string> = {}
    for (const fault of faults) {
      const { outageMs, slowestMs } = await injectFault(example, load, fault, trial)
      measured[`${fault.name}:`] = `no write for ${outageMs} ms, slowest answer ${slowestMs} ms`
    }
    const counts: Counts = { ...(await load.finish(await example.connection())), ...measured }
    if (trial.isFull) {
      const unprotected = new Trial(trial.sizes, trial.between(0, 1_000_000), () => Promise.reject(new Error('unused')))
      trial.cleanup.add(() => unprotected.cleanup.run())
      const violations = await injectFaultUnprotected(example, unprotected, LOAD)
      trial.require(violations.some(isLoss), 'the losses of asynchronous replication were not noticed')
    }
    return counts
  },
}
