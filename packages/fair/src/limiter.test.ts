import { DEFAULT_TENANT, type TenantId } from '@collab-spaces/domain'
import { expect, it, onTestFinished, vi } from 'vitest'
import { FairLimiter, type Slot, type SlotRequest } from './limiter.js'

const tenantIdOf = (n: number) => `00000000-0000-4000-8000-00000000000${n}` as TenantId
const by = (human: string, tenantId: TenantId = DEFAULT_TENANT, address: string | null = null): SlotRequest => ({
  fairKey: [tenantId, human, `key of ${human}`],
  address: () => address,
})

/** Work that runs until the test ends it, or until it must yield. */
class Work {
  hasStarted = false
  hasYielded = false
  end = () => {}
  slot: Slot | null = null
  readonly done: Promise<void>

  constructor(limiter: FairLimiter, by: SlotRequest) {
    this.done = limiter.run(by, (slot) => {
      this.hasStarted = true
      this.slot = slot
      return new Promise((resolve) => {
        this.end = resolve
        slot.signal.addEventListener('abort', () => {
          this.hasYielded = true
          resolve()
        })
      })
    })
  }
}

it('leaves a slot to other addresses, however many tenants one address has', async () => {
  const limiter = new FairLimiter({ width: 3, maxPerHuman: 2, maxWaitMs: 60_000 })
  const works = [1, 2, 3].map((n) => new Work(limiter, by(`eve${n}`, tenantIdOf(n), '192.0.2.1')))
  const other = new Work(limiter, by('ada', tenantIdOf(4), '192.0.2.2'))
  await expect.poll(() => other.hasStarted).toBe(true)
  expect(works.map(({ hasStarted }) => hasStarted)).toEqual([true, true, false])
  for (const work of [...works.slice(0, 2), other]) work.end()
  await expect.poll(() => works[2]?.hasStarted).toBe(true)
  works[2]?.end()
  await Promise.all([...works, other].map(({ done }) => done))
})

it('does not count requests of the server itself by address', async () => {
  const limiter = new FairLimiter({ width: 3, maxPerHuman: 2, maxWaitMs: 60_000 })
  const works = [1, 2, 3].map((n) => new Work(limiter, by(`eve${n}`, tenantIdOf(n))))
  await expect.poll(() => works.every(({ hasStarted }) => hasStarted)).toBe(true)
  for (const { end } of works) end()
  await Promise.all(works.map(({ done }) => done))
})

it('makes long work yield to a waiting tenant without slots, and to no other', async () => {
  const limiter = new FairLimiter({ width: 1, maxPerHuman: 1, maxWaitMs: 60_000, yieldAfterMs: 1 })
  const long = new Work(limiter, by('eve'))
  const other = new Work(limiter, by('ada', tenantIdOf(1)))
  const ofTheSame = new Work(limiter, by('mallory'))
  await expect.poll(() => long.hasYielded).toBe(true)
  await expect.poll(() => other.hasStarted).toBe(true)
  await expect.poll(() => other.hasYielded).toBe(true)
  await expect.poll(() => ofTheSame.hasStarted).toBe(true)
  const behind = new Work(limiter, by('eve'))
  ofTheSame.end()
  await expect.poll(() => behind.hasStarted).toBe(true)
  behind.end()
  await Promise.all([long, ofTheSame, other, behind].map(({ done }) => done))
  expect([ofTheSame.hasYielded, behind.hasYielded]).toEqual([false, false])
})

it('rejects a request whose client has disconnected, and unregisters its callback afterwards', async () => {
  const limiter = new FairLimiter({ width: 1, maxPerHuman: 1, maxWaitMs: 60_000 })
  const first = new Work(limiter, by('eve'))
  const left = (callback: () => void) => {
    callback()
    return () => {}
  }
  const gone = new Work(limiter, { ...by('ada'), whenGone: left })
  await expect(gone.done).rejects.toMatchObject({ kind: 'unavailable' })
  let listening = 0
  const whenGone = () => {
    listening++
    return () => {
      listening--
    }
  }
  const waits = new Work(limiter, { ...by('bob'), whenGone })
  expect(listening).toBe(1)
  first.end()
  await expect.poll(() => waits.hasStarted).toBe(true)
  expect(gone.hasStarted).toBe(false)
  waits.end()
  await waits.done
  expect(listening).toBe(0)
})

it('refuses the newest request of the largest key when the queue is full', async () => {
  const limiter = new FairLimiter({ width: 1, maxPerHuman: 1, maxWaitMs: 60_000, maxWaiting: 3 })
  const first = new Work(limiter, by('eve', tenantIdOf(1)))
  const ofEve = [1, 2, 3].map(() => new Work(limiter, by('eve', tenantIdOf(1))))
  const ofAda = new Work(limiter, by('ada', tenantIdOf(2)))
  await expect(ofEve[2]?.done).rejects.toThrow(/try again/)
  first.end()
  for (const work of [ofEve[0], ofAda, ofEve[1]] as Work[]) {
    await expect.poll(() => work.hasStarted).toBe(true)
    work.end()
    await work.done
  }
})

it('refuses requests that are stale, and runs those that are not', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let foundSilent = Number.NEGATIVE_INFINITY
  const isStale = (since: number) => foundSilent - since > 100
  const limiter = new FairLimiter({ width: 1, maxWaitMs: 60_000, isStale })
  const first = new Work(limiter, by('eve'))
  const behind = new Work(limiter, by('ada'))
  vi.advanceTimersByTime(1_000)
  const fresh = new Work(limiter, by('bob'))
  vi.advanceTimersByTime(1)
  foundSilent = performance.now()
  first.end()
  await expect(behind.done).rejects.toMatchObject({ kind: 'unavailable' })
  expect([behind.hasStarted, fresh.hasStarted]).toEqual([false, true])
  // Later work may wait as usual.
  const later = new Work(limiter, by('ada'))
  vi.advanceTimersByTime(1_000)
  fresh.end()
  await fresh.done
  later.end()
  await later.done
})

it('releases its slot during a wait, and takes one again', async () => {
  const limiter = new FairLimiter({ width: 1, maxWaitMs: 60_000 })
  const first = new Work(limiter, by('eve'))
  let wake = () => {}
  const rested = first.slot?.rest(() => new Promise<void>((resolve) => (wake = resolve)))
  const second = new Work(limiter, by('ada'))
  await expect.poll(() => second.hasStarted).toBe(true)
  const third = new Work(limiter, by('bob'))
  wake()
  second.end()
  await expect.poll(() => third.hasStarted).toBe(true)
  third.end()
  await rested
  first.end()
  await Promise.all([first, second, third].map(({ done }) => done))
})

it('rejects after a wait when no slot is free in time, and holds none then', async () => {
  const limiter = new FairLimiter({ width: 1, maxWaitMs: 1 })
  const first = new Work(limiter, by('eve'))
  let wake = () => {}
  const rested = first.slot?.rest(() => new Promise<void>((resolve) => (wake = resolve)))
  const second = new Work(limiter, by('ada'))
  wake()
  await expect(rested).rejects.toMatchObject({ kind: 'unavailable' })
  first.end()
  await first.done
  const behind = new Work(limiter, by('bob')).done
  await expect(behind).rejects.toMatchObject({ kind: 'unavailable' })
  second.end()
  await second.done
})

it('counts the credentials of a human and its agents together', async () => {
  const limiter = new FairLimiter({ width: 5, maxPerHuman: 2, maxWaitMs: 60_000 })
  const keys = ['a', 'b', 'c'].map((key) => new Work(limiter, { fairKey: [DEFAULT_TENANT, 'ada', key] }))
  const bob = new Work(limiter, by('bob'))
  await expect.poll(() => bob.hasStarted).toBe(true)
  expect(keys.map(({ hasStarted }) => hasStarted)).toEqual([true, true, false])
  keys[0]?.end()
  await expect.poll(() => keys[2]?.hasStarted).toBe(true)
  for (const { end } of [...keys, bob]) end()
  await Promise.all([...keys, bob].map(({ done }) => done))
})
