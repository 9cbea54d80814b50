import { Load } from '../load/load.js'
import type { Row } from '../row.js'
import type { Instance } from '../service/instance.js'

export const reconnectStorm: Row = {
  name: 'L4',
  title: 'all streams reconnect at once',
  about:
    'Hundreds of streams through two instances under load; one instance is killed, or all streams are dropped at the same ' +
    'time. They reconnect with their cursors, and none misses or repeats an event.',
  async run(trial) {
    const { connection, instances } = await trial.cluster(2)
    const [staying, leaving] = instances as [Instance, Instance]
    const urls = [staying.url, leaving.url]
    const load = await Load.start(trial, { urls: [staying.url], readFrom: urls, readers: trial.sizes.crowd })
    let storms = 0
    while (trial.hasTimeFor(storms)) {
      await load.more(trial.between(20, 200))
      if (trial.random() < 0.5) {
        await leaving.kill()
        await load.more(50)
        await leaving.start()
      } else for (const stream of load.streams) stream.drop()
      storms++
    }
    return { ...(await load.finish(connection)), storms }
  },
}
