import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { CAN_MEASURE_MEMORY, eventually } from '@collab-spaces/testing/programs'
import { Load } from '../load/load.js'
import type { Row } from '../row.js'
import { must } from '../service/http.js'
import { MemoryWatch } from '../service/memory.js'
import { unread } from '../service/raw.js'
import { FULL } from '../sizes.js'
import type { Trial } from '../trial.js'

const TEXT = 'x'.repeat(50_000)
/** A server waits 15 seconds for a reader, and looks once a second. */
const CUT_OFF_WITHIN_MS = 20_000

export const f8: Row = {
  name: 'F8',
  title: 'streams that nobody reads, under load',
  about:
    'Hundreds of streams, over REST and over tRPC, whose clients never read, while long events are written. They are cut ' +
    `off, memory grows by at most ${FULL.mostGrowthMb} MB, and those who read miss nothing.`,
  async run(trial) {
    const { connection, instances } = await trial.cluster(1)
    const [server] = instances as [(typeof instances)[0]]
    const load = await Load.start(trial, { urls: [server.url], writers: 4 })
    await load.more(1)
    const [hot] = load.spaces as [string]
    const memory = await MemoryWatch.begin(server)
    const paths = [`/api/spaces/${hot}/events/stream`, trpcStream(hot)]
    const sockets = Array.from({ length: trial.sizes.crowd }, (_, n) =>
      unread(server.url, { path: paths[n % 2] as string, key: load.key }),
    )
    trial.cleanup.add(() => {
      for (const socket of sockets) socket.destroy()
    })
    let written = 0
    for (; trial.hasTimeFor(written / 50); written++) {
      const text = `long ${written} ${TEXT}`
      const write = load.notes.begin(hot, [text])
      const body = { text }
      const { event_id } = await must<{ event_id: string }>(server.url, {
        path: `/api/spaces/${hot}/speech`,
        key: load.key,
        body,
      })
      load.notes.acknowledge(write, [event_id])
    }
    // The short form does not wait for the cut.
    await delay(trial.isFull ? CUT_OFF_WITHIN_MS : 500)
    const growth = memory.growth()
    if (CAN_MEASURE_MEMORY) trial.require(growth <= trial.sizes.mostGrowthMb, `memory grew by ${growth} MB`)
    const counts = await load.finish(connection)
    if (trial.isFull) await requireCut(trial, sockets)
    return { ...counts, 'unread streams': sockets.length, 'long events': written, 'grew MB': growth }
  },
}

/** Whoever was cut off comes to the end of what was on its way. */
async function requireCut(trial: Trial, sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.resume()
  await eventually(() => sockets.every(({ destroyed }) => destroyed)).catch(() => {})
  const left = sockets.filter(({ destroyed }) => !destroyed).length
  trial.require(left === 0, `${left} of ${sockets.length} streams that nobody read are still open`)
}

const trpcStream = (space_id: string) => `/trpc/event.stream?input=${encodeURIComponent(JSON.stringify({ space_id }))}`
