import { setTimeout as delay } from 'node:timers/promises'
import { proxyTo } from '@collab-spaces/testing/programs'
import { Load } from '../load/load.js'
import type { Row } from '../row.js'
import { must } from '../service/http.js'
import type { Instance } from '../service/instance.js'
import { settingsFor } from '../trial.js'

const LATEST_MS = 2_000

export const dropNotifications: Row = {
  name: 'F3',
  title: 'dropped notifications',
  about:
    'A proxy drops the notifications for an instance, or all traffic of its listening connection, without an error. ' +
    'Readers of that instance get the events of another at most two seconds late, and miss none.',
  async run(trial) {
    const connection = await trial.database()
    const proxy = await proxyTo(connection)
    trial.cleanup.add(() => proxy.cut())
    const [writing] = (await trial.instances(1, settingsFor(connection))) as [Instance]
    const [reading] = (await trial.instances(1, settingsFor(proxy.connection))) as [Instance]
    const load = await Load.start(trial, {
      urls: [writing.url],
      readFrom: [reading.url],
      writers: 1,
      manners: ['again'],
    })
    await load.more(1)
    const [hot] = load.spaces as [string]
    const watching = load.streams.filter(({ space }) => space === hot)
    let deafened = 0
    let swallowed = 0
    let latest = 0
    // Both in turn. A dropped connection is replaced, and the next one receives notifications again.
    for (let faults = 0; trial.hasTimeFor(faults / 2); faults++) {
      if (faults % 2 === 0) deafened += proxy.deafen()
      else swallowed += proxy.swallow('listening')
      // Everything in transit has arrived by then.
      await delay(trial.between(200, 1_000))
      const text = `mark ${faults}`
      const write = load.notes.begin(hot, [text])
      const { event_id } = await must<{ event_id: string }>(writing.url, {
        path: `/api/spaces/${hot}/speech`,
        key: load.key,
        body: { text },
      })
      load.notes.acknowledge(write, [event_id])
      const acknowledged = performance.now()
      const within = LATEST_MS * trial.sizes.slack
      const seen = await Promise.all(watching.map((stream) => stream.sees(event_id, within)))
      latest = Math.max(latest, performance.now() - acknowledged)
      const late = seen.filter((hasSeen) => !hasSeen).length
      trial.require(late === 0, `${late} of ${seen.length} streams did not have an event after ${within} ms`)
      await delay(trial.between(0, 1_500))
    }
    const counts = await load.finish(connection)
    trial.require(deafened > 0 && swallowed > 0, 'no connection was found that listens')
    return { ...counts, deafened, swallowed, 'latest ms': Math.round(latest) }
  },
}
