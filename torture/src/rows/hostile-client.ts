import { setTimeout as delay } from 'node:timers/promises'
import { CAN_MEASURE_MEMORY } from '@collab-spaces/testing/programs'
import type { Attack, Ground } from '../attacks/attack.js'
import { ATTACKS } from '../attacks/index.js'
import type { Report } from '../load/bystander.js'
import { BystanderThread } from '../load/bystander-thread.js'
import type { Row } from '../row.js'
import { must } from '../service/http.js'
import { MemoryWatch } from '../service/memory.js'
import { openSpace, registerTenant } from '../service/people.js'
import { FULL } from '../sizes.js'
import type { Trial } from '../trial.js'

const P95_MS = 1_000
/** A control character takes six bytes in JSON, so this is the longest text in JSON. */
const LONGEST_TEXT = `needle ${'\u0001'.repeat(99_000)}`

export const hostileClient: Row = {
  name: 'H1',
  title: 'a hostile client next to another tenant',
  about:
    `Attacks one by one, and several at once: ${ATTACKS.map(({ name }) => name).join('; ')}. Memory grows by at most ` +
    `${FULL.maxGrowthMb} MB, no request of another tenant fails, and 95 % of them take less than a second.`,
  runsAlone: true,
  async run(trial) {
    const server = await trial.plainServer()
    const ground = await prepare(trial, server.url)
    const bystander = await BystanderThread.begin(server.url)
    trial.cleanup.add(() => bystander.stop())
    let requests = 0
    let grew = 0
    let slowest = 0
    for (const attacks of rounds(trial)) {
      await bystander.report()
      const memory = await MemoryWatch.begin(server)
      await wage(attacks, ground)
      if (server.program.isOver) throw new Error(`the server has ended: ${server.program.stderr.slice(-1_000)}`)
      const growth = memory.growth()
      const report = await bystander.report()
      judge(trial, attacks, growth, report)
      requests += report.requests
      grew = Math.max(grew, growth)
      slowest = Math.max(slowest, report.p95)
    }
    return { attacks: ATTACKS.length, 'requests beside': requests, 'grew MB': grew, 'p95 ms': Math.round(slowest) }
  },
}

/** Returns each attack alone, in any order, and in the full form all together. */
function rounds(trial: Trial): Attack[][] {
  const alone = [...ATTACKS].sort(() => trial.random() - 0.5).map((attack) => [attack])
  return trial.isFull ? [...alone, [...ATTACKS]] : alone
}

async function wage(attacks: readonly Attack[], ground: Ground): Promise<void> {
  const ends = attacks.map((attack) => attack.begin(ground))
  await delay(ground.trial.sizes.secondsOfAttack * 1_000)
  await Promise.all(ends.map((end) => end()))
}

function judge(trial: Trial, attacks: readonly Attack[], growth: number, { requests, failures, p95 }: Report): void {
  const name = attacks.length === 1 ? attacks[0]?.name : 'all attacks together'
  if (CAN_MEASURE_MEMORY) trial.require(growth <= trial.sizes.maxGrowthMb, `${name}: memory grew by ${growth} MB`)
  trial.require(
    failures.length === 0,
    `${name}: ${failures.length} of ${requests} requests of another tenant failed, the first ${failures[0]}`,
  )
  // A short attack has too few requests for a percentile.
  if (trial.isFull) trial.require(p95 < P95_MS, `${name}: another tenant's p95 was ${Math.round(p95)} ms`)
}

async function prepare(trial: Trial, url: string): Promise<Ground> {
  const mallory = await registerTenant(url, 'Mallory')
  const { key } = mallory
  const [long, wordy] = [await openSpace(url, mallory, 'long'), await openSpace(url, mallory, 'wordy')]
  const longIds: string[] = []
  for (let n = 0; n < trial.sizes.longEvents; n++) {
    const body = { text: LONGEST_TEXT, speaker_id: `s${n}`, speaker_name: 'S' }
    longIds.push((await must<{ event_id: string }>(url, { path: `/api/spaces/${long}/speech`, key, body })).event_id)
  }
  for (let n = 0; n < trial.sizes.longEvents; n++) {
    const events = Array.from({ length: 100 }, (_, m) => ({
      speaker_id: `speaker ${n}/${m}`,
      speaker_name: 'S',
      text: `${n} ${m} a b c d ${'一丁丂七丄 '.repeat(50)}`,
    }))
    await must(url, { path: `/api/spaces/${n % 2 ? long : wordy}/events/batch`, key, body: { events } })
  }
  return { trial, url, mallory, long, longIds, wordy }
}
