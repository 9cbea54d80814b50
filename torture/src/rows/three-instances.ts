import { setTimeout as delay } from 'node:timers/promises'
import { Load } from '../load/load.js'
import { Pauser } from '../load/pauser.js'
import type { Row } from '../row.js'
import { send } from '../service/http.js'

/** The minimum, as most pauses meet no pending write. */
const PAUSES = 8

export const threeInstances: Row = {
  name: 'L1',
  title: 'three instances at work',
  about:
    'Writers, streams, pages and searches through three instances of one database, one space being hot; another space is ' +
    'paused and resumed under writes. Nothing is lost, doubled, torn, reordered or added after a pause, every ' +
    'reader sees exactly the log, and no request is refused.',
  runsAlone: true,
  async run(trial) {
    const { connection, instances } = await trial.cluster(3)
    const urls = instances.map(({ url }) => url)
    const load = await Load.start(trial, { urls, readers: trial.sizes.crowd })
    let searches = 0
    while (trial.hasTimeFor(searches)) {
      const path = `/api/search?q=writer&space_id=${trial.pick(load.spaces)}`
      const { status, text } = await send(trial.pick(urls), { path, key: load.key })
      trial.require(status === 200, `a search was answered ${status}: ${text}`)
      searches++
      await delay(trial.between(20, 200))
    }
    const pauser = await Pauser.begin(urls, load.key)
    trial.cleanup.add(() => pauser.stop())
    while (pauser.pauses < PAUSES) await pauser.pause(connection)
    await pauser.stop()
    trial.violations.push(...pauser.violations)
    await load.more(1)
    const counts = await load.finish(connection)
    trial.require(load.refusals.honest === 0, `${load.refusals.honest} requests were refused without a fault`)
    return { ...counts, searches, pauses: pauser.pauses }
  },
}
