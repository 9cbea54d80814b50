import { DEFAULT_SCOPE, type Scope } from '@collab-spaces/domain'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Silence } from '../src/connection/silence.js'
import { type Asker, FairLane } from '../src/fairness/lane.js'

const scopeOf = (n: number) => `00000000-0000-4000-8000-00000000000${n}` as Scope
const asker = (actorId: string, scope: Scope = DEFAULT_SCOPE, address: string | null = null): Asker => ({
  scope,
  actorId,
  address: () => address,
})

/** Work that is under way until it is told to end, or to yield. */
class Work {
  hasStarted = false
  hasYielded = false
  end = () => {}
  readonly done: Promise<void>

  constructor(lane: FairLane, by: Asker) {
    this.done = lane.run(by, (whenAskedToYield) => {
      this.hasStarted = true
      return new Promise((resolve) => {
        this.end = resolve
        whenAskedToYield(() => {
          this.hasYielded = true
          resolve()
        })
      })
    })
  }
}

it('leaves a turn to other addresses, however many tenants one has', async () => {
  const lane = new FairLane({ width: 3, mostOfActor: 2, maxWaitMs: 60_000 })
  const works = [1, 2, 3].map((n) => new Work(lane, asker(`eve${n}`, scopeOf(n), '192.0.2.1')))
  const other = new Work(lane, asker('ada', scopeOf(4), '192.0.2.2'))
  await expect.poll(() => other.hasStarted).toBe(true)
  expect(works.map(({ hasStarted }) => hasStarted)).toEqual([true, true, false])
  for (const work of [...works.slice(0, 2), other]) work.end()
  await expect.poll(() => works[2]?.hasStarted).toBe(true)
  works[2]?.end()
  await Promise.all([...works, other].map(({ done }) => done))
})

it('does not count what comes from the machine itself by address', async () => {
  const lane = new FairLane({ width: 3, mostOfActor: 2, maxWaitMs: 60_000 })
  const works = [1, 2, 3].map((n) => new Work(lane, asker('eve', scopeOf(n))))
  await expect.poll(() => works.every(({ hasStarted }) => hasStarted)).toBe(true)
  for (const { end } of works) end()
  await Promise.all(works.map(({ done }) => done))
})

it('has long work yield to a tenant that waits and has none, and to nobody else', async () => {
  const lane = new FairLane({ width: 1, mostOfActor: 1, maxWaitMs: 60_000, yieldAfterMs: 1 })
  const long = new Work(lane, asker('eve'))
  const other = new Work(lane, asker('ada', scopeOf(1)))
  const ofTheSame = new Work(lane, asker('mallory'))
  await expect.poll(() => long.hasYielded).toBe(true)
  await expect.poll(() => other.hasStarted).toBe(true)
  await expect.poll(() => other.hasYielded).toBe(true)
  await expect.poll(() => ofTheSame.hasStarted).toBe(true)
  const behind = new Work(lane, asker('eve'))
  ofTheSame.end()
  await expect.poll(() => behind.hasStarted).toBe(true)
  behind.end()
  await Promise.all([long, ofTheSame, other, behind].map(({ done }) => done))
  expect([ofTheSame.hasYielded, behind.hasYielded]).toEqual([false, false])
})

it('does nothing for whoever has left before it waits, and listens no more to whoever had a turn', async () => {
  const lane = new FairLane({ width: 1, mostOfActor: 1, maxWaitMs: 60_000 })
  const first = new Work(lane, asker('eve'))
  const left = (callback: () => void) => {
    callback()
    return () => {}
  }
  const gone = new Work(lane, { ...asker('ada'), whenGone: left })
  await expect(gone.done).rejects.toMatchObject({ kind: 'unavailable' })
  let listening = 0
  const whenGone = () => {
    listening++
    return () => {
      listening--
    }
  }
  const waits = new Work(lane, { ...asker('bob'), whenGone })
  expect(listening).toBe(1)
  first.end()
  await expect.poll(() => waits.hasStarted).toBe(true)
  expect([gone.hasStarted, listening]).toEqual([false, 0])
  waits.end()
  await waits.done
})

it('refuses whoever has most of it waiting when too much waits', async () => {
  const lane = new FairLane({ width: 1, mostOfActor: 1, maxWaitMs: 60_000, mostWaiting: 3 })
  const first = new Work(lane, asker('eve', scopeOf(1)))
  const ofEve = [1, 2, 3].map(() => new Work(lane, asker('eve', scopeOf(1))))
  const ofAda = new Work(lane, asker('ada', scopeOf(2)))
  await expect(ofEve[2]?.done).rejects.toThrow(/try again/)
  first.end()
  for (const work of [ofEve[0], ofAda, ofEve[1]] as Work[]) {
    await expect.poll(() => work.hasStarted).toBe(true)
    work.end()
    await work.done
  }
})

it('refuses whoever has waited while connections fell silent, and has the others try', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const silence = new Silence(100)
  const lane = new FairLane({ width: 1, mostOfActor: 1, maxWaitMs: 60_000, silence })
  const first = new Work(lane, asker('eve'))
  const behind = new Work(lane, asker('ada'))
  vi.advanceTimersByTime(1_000)
  const fresh = new Work(lane, asker('bob'))
  vi.advanceTimersByTime(1)
  silence.found()
  first.end()
  await expect(behind.done).rejects.toMatchObject({ kind: 'unavailable' })
  expect([behind.hasStarted, fresh.hasStarted]).toEqual([false, true])
  // What comes afterwards may wait as ever.
  const later = new Work(lane, asker('ada'))
  vi.advanceTimersByTime(1_000)
  fresh.end()
  await fresh.done
  later.end()
  await later.done
})
