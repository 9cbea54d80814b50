import { setTimeout as delay } from 'node:timers/promises'
import { Load } from '../load/load.js'
import type { Row } from '../row.js'
import { send } from '../service/http.js'

export const l1: Row = {
  name: 'L1',
  title: 'three instances at work',
  about:
    'Writers, streams, pages and searches through three instances of one database, one space being hot. Nothing is ' +
    'lost, doubled, torn or reordered, every reader sees exactly the log, and nobody is refused.',
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
    await load.more(1)
    const counts = await load.finish(connection)
    trial.require(
      load.refusals.honest === 0,
      `${load.refusals.honest} requests were told to come back, with no fault there`,
    )
    return { ...counts, searches }
  },
}
