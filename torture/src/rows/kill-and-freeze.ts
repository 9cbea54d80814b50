import { setTimeout as delay } from 'node:timers/promises'
import { Load } from '../load/load.js'
import type { Row } from '../row.js'

export const killAndFreeze: Row = {
  name: 'F1',
  title: 'servers killed and frozen under load',
  about:
    'Three instances under load; they are killed in turn (SIGKILL), or frozen for up to three seconds (SIGSTOP) and ' +
    'then thawed or killed. Acknowledged writes are kept, the other instances continue, and killed ones restart.',
  async run(trial) {
    const { connection, instances } = await trial.cluster(3)
    const load = await Load.start(trial, { urls: instances.map(({ url }) => url) })
    let kills = 0
    let freezes = 0
    while (trial.hasTimeFor(kills + freezes)) {
      await load.more(trial.between(1, 300))
      const victim = trial.pick(instances)
      const isFrozen = kills > 0 && trial.random() < 0.4
      if (isFrozen) {
        freezes++
        victim.freeze()
        await delay(trial.between(10, 3_000))
        if (trial.random() < 0.5) {
          victim.thaw()
          continue
        }
      }
      kills++
      await victim.kill()
      // The other instances continue.
      await load.more(trial.between(1, 100))
      await victim.start()
    }
    return { ...(await load.finish(connection)), kills, freezes }
  },
}
