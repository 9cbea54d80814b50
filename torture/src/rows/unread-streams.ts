import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { CAN_MEASURE_MEMORY, eventually } from '@collab-spaces/testing/programs'
import { HaltingReader } from '../load/halting-reader.js'
import { Load } from '../load/load.js'
import type { Row } from '../row.js'
import { must } from '../service/http.js'
import type { Instance } from '../service/instance.js'
import { MemoryWatch } from '../service/memory.js'
import { openSpace, register } from '../service/people.js'
import { unread } from '../service/raw.js'
import { FULL } from '../sizes.js'
import type { Trial } from '../trial.js'

const TEXT = 'x'.repeat(50_000)
/** A server waits 15 seconds for a reader, not counting its own delays. */
const CUT_OFF_TIMEOUT_MS = 25_000

/** The longest text in JSON: half a megabyte. Forty of them far exceed the buffers of the operating system. */
const LONGEST_TEXT = '\u0001'.repeat(90_000)
const LONGEST_TEXT_COUNT = 40
const HALTING = 10
const APART = 3
/** The maximum that a server may have read for each reader, mostly held in buffers of the operating system. */
const MAX_READ = 6_500_000
/** Much shorter than the timeout of an unread stream. */
const HALT_MS = 9_000
/** A server that has read no more than this in `REST_MS` is waiting for its readers. */
const AT_REST = 256 * 1024
const REST_MS = 1_000

export const unreadStreams: Row = {
  name: 'F8',
  title: 'unread streams under load',
  about:
    'Hundreds of streams, over REST and tRPC, whose clients never read, while long events are written. They are cut ' +
    'off; a client that pauses for some seconds is not, since pending events stay in the database. ' +
    `Memory grows by at most ${FULL.maxGrowthMb} MB, and reading clients miss nothing.`,
  async run(trial) {
    const { connection, instances } = await trial.cluster(1)
    const [server] = instances as [(typeof instances)[0]]
    await requireBackPressure(trial, server)
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
    // The short form does not wait for the timeout.
    await delay(trial.isFull ? CUT_OFF_TIMEOUT_MS : 500)
    const growth = memory.growth()
    if (CAN_MEASURE_MEMORY) trial.require(growth <= trial.sizes.maxGrowthMb, `memory grew by ${growth} MB`)
    const counts = await load.finish(connection)
    if (trial.isFull) await requireCut(trial, sockets)
    return { ...counts, 'unread streams': sockets.length, 'long events': written, 'grew MB': growth }
  },
}

/**
 * Requires back pressure. If the server wrote regardless of its readers, histories would fill its memory, and it would
 * have to cut off slow clients. The readers start far enough apart that they share no pages.
 */
async function requireBackPressure(trial: Trial, server: Instance): Promise<void> {
  const { url } = server
  const human = await register(url, 'Slow')
  const space = await openSpace(url, human, 'slow')
  const ids: string[] = []
  for (let n = 0; n < LONGEST_TEXT_COUNT; n++) {
    const said = { path: `/api/spaces/${space}/speech`, key: human.key, body: { text: `${n} ${LONGEST_TEXT}` } }
    ids.push((await must<{ event_id: string }>(url, said)).event_id)
  }
  const last = ids.at(-1) as string
  const before = await bytesRead(server)
  const cursors = ids.filter((_, n) => n % APART === 0).slice(0, HALTING)
  const readers = cursors.map((since, n) => {
    const path = n % 2 === 0 ? `/api/spaces/${space}/events/stream?since=${since}` : trpcStream(space, since)
    return new HaltingReader(url, { path, key: human.key }, last)
  })
  const read = (await atRest(server)) - before
  const megabytes = Math.round(read / 1_048_576)
  trial.require(read <= HALTING * MAX_READ, `${megabytes} MB were read for ${HALTING} unread streams`)
  const isFairlyJudged = (readers[0] as HaltingReader).age < 1.2 * HALT_MS
  const ends = await Promise.all(readers.map((reader) => reader.readOn()))
  const cut = ends.filter((hasSeen) => !hasSeen).length
  if (isFairlyJudged)
    trial.require(cut === 0, `${cut} of ${HALTING} readers that stopped for some seconds were cut off`)
}

/** Returns the bytes that it has read once it reads no more, or once readers should continue. */
async function atRest(server: Instance): Promise<number> {
  let read = await bytesRead(server)
  for (const begun = performance.now(); performance.now() - begun < HALT_MS; ) {
    await delay(REST_MS)
    const now = await bytesRead(server)
    if (now - read <= AT_REST) return now
    read = now
  }
  return read
}

/** Returns the bytes that a server has read from the database and clients; 0 if the system does not report them. */
async function bytesRead({ program: { pid } }: Instance): Promise<number> {
  const counts = await readFile(`/proc/${pid}/io`, 'utf8').catch(() => '')
  return Number(/^rchar: (\d+)$/m.exec(counts)?.[1] ?? 0)
}

/** Requires that all readers were cut off: they reach the end of the buffered data. */
async function requireCut(trial: Trial, sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.resume()
  await eventually(() => sockets.every(({ destroyed }) => destroyed)).catch(() => {})
  const left = sockets.filter(({ destroyed }) => !destroyed).length
  trial.require(left === 0, `${left} of ${sockets.length} unread streams are still open`)
}

const trpcStream = (space_id: string, since?: string) =>
  `/trpc/event.stream?input=${encodeURIComponent(JSON.stringify({ space_id, since }))}`
