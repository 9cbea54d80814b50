import { setImmediate as nextTurn } from 'node:timers/promises'
import { asSystem, type LogEntry, type ServerSignal } from '@collab-spaces/db'
import { DEFAULT_TENANT } from '@collab-spaces/domain'
import { afterEach, describe, expect, it } from 'vitest'
import type { Batch, Frame } from './batch.js'
import { Hub } from './hub.js'
import type { Subscription } from './subscription.js'
import { TailBudget } from './tail-budget.js'

const frame: Frame = ({ wire }) => wire

const opened: Subscription[] = []
afterEach(() => {
  for (const subscription of opened.splice(0)) subscription.close()
})

/** A hub over in-memory logs. */
class Stage {
  readonly #logs = new Map<string, LogEntry[]>()
  #redactions = 0
  #eventCount = 0
  readonly #hear: ((signal: ServerSignal) => void)[] = []
  /** The number of reads of the log. */
  reads = 0
  /** Delays the results of reads of the log. */
  gate: Promise<void> | null = null
  readonly hub = new Hub(
    {
      heads: async (spaces) =>
        spaces
          .filter(({ spaceId }) => this.#logs.has(spaceId))
          .map((space) => ({ ...space, head: this.#logOf(space.spaceId).length, redactions: this.#redactions })),
      entries: async ({ spaceId }, after, limit) => {
        this.reads++
        const read = this.#logOf(spaceId).slice(after, after + limit)
        await this.gate
        return read
      },
    },
    { publish: () => {}, subscribe: (subscriber) => this.#hear.push(subscriber), close: async () => {} },
    (error) => {
      throw error
    },
  )

  say(spaceId: string, text: string): void {
    const log = this.#logOf(spaceId)
    const entry = {
      tenantId: DEFAULT_TENANT,
      spaceId,
      position: log.length + 1,
      eventId: `e${++this.#eventCount}`,
      wire: text,
    }
    log.push(entry)
    this.hub.publish([{ ...entry, addressed: [], byAgent: false }])
  }

  /** Redacts an event, and notifies the hub unless the signal is lost. */
  redact(spaceId: string, position: number, { isTold = true } = {}): void {
    const log = this.#logOf(spaceId)
    log[position - 1] = { ...(log[position - 1] as LogEntry), wire: '[redacted]' }
    this.#redactions++
    if (isTold) this.hear({ kind: 'erased', tenantId: DEFAULT_TENANT, spaceId })
  }

  /** Removes the newest event, as a failover may. */
  lose(spaceId: string): void {
    this.#logOf(spaceId).pop()
  }

  /** Deletes a space. */
  delete(spaceId: string): void {
    this.#logs.delete(spaceId)
    this.hear({ kind: 'erased', tenantId: DEFAULT_TENANT, spaceId })
  }

  hear(signal: ServerSignal): void {
    for (const hear of this.#hear) hear(signal)
  }

  /** Subscribes to a space, and records what is written. `canTakeMore` returns the result of each write. */
  listen(spaceId: string, canTakeMore: () => boolean = () => true, onWrite = () => {}) {
    const heard = { batches: [] as Batch[], texts: [] as string[], end: null as string | null }
    const subscription = this.hub.subscribe(
      { space: asSystem(DEFAULT_TENANT, spaceId), after: 0 },
      {
        write: (batch) => {
          heard.batches.push(batch)
          heard.texts.push(...batch.entries.map(({ wire }) => wire))
          onWrite()
          return canTakeMore()
        },
        end: (reason) => {
          heard.end = reason?.detail ?? null
        },
        fail: (error) => {
          throw error
        },
      },
    )
    opened.push(subscription)
    return Object.assign(heard, { subscription })
  }

  #logOf(spaceId: string): LogEntry[] {
    let log = this.#logs.get(spaceId)
    if (!log) {
      log = []
      this.#logs.set(spaceId, log)
    }
    return log
  }
}

async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await nextTurn()
}

describe('a round of the hub', () => {
  it('writes the same bytes to all subscribers of a space, several events in one write', async () => {
    const stage = new Stage()
    const all = Array.from({ length: 100 }, () => stage.listen('plans'))
    await turns(5)
    for (const text of ['1', '2', '3']) stage.say('plans', text)
    await turns(50)
    const [first] = all
    for (const { texts, batches } of all) {
      expect(texts).toEqual(['1', '2', '3'])
      expect(batches).toHaveLength(1)
      expect(batches[0]?.framed(frame)).toBe(first?.batches[0]?.framed(frame))
    }
    // As the position was not yet known, the log was read once for all.
    expect(stage.reads).toBe(1)
  })

  it('includes a new event for subscribers not yet reached, and writes it to the rest afterwards', async () => {
    const stage = new Stage()
    let written = 0
    const all = Array.from({ length: 100 }, () =>
      stage.listen(
        'plans',
        () => true,
        () => {
          written++
          if (written === 50) stage.say('plans', '2')
        },
      ),
    )
    await turns(5)
    stage.say('plans', '1')
    await turns(50)
    expect(all.map(({ texts }) => texts.join())).toEqual(Array(100).fill('1,2'))
    // The first fifty received the events in two writes, the rest in one.
    expect(all.map(({ batches }) => batches.length)).toEqual([...Array(50).fill(2), ...Array(50).fill(1)])
  })

  it('skips no subscriber when another one joins, leaves or pauses meanwhile', async () => {
    const stage = new Stage()
    const joined: { texts: string[] }[] = []
    const all = Array.from({ length: 60 }, (_, n) =>
      stage.listen(
        'plans',
        () => n % 3 !== 0,
        () => {
          if (n === 20) all[40]?.subscription.close()
          if (n === 30) joined.push(stage.listen('plans'))
        },
      ),
    )
    await turns(5)
    stage.say('plans', '1')
    await turns(50)
    stage.say('plans', '2')
    await turns(50)
    for (const { subscription } of all) subscription.resume()
    await turns(50)
    expect(all[40]?.texts).toEqual([])
    const others = [...all.filter((_, n) => n !== 40), ...joined]
    expect(others).toHaveLength(61)
    for (const { texts } of others) expect(texts).toEqual(['1', '2'])
  })
})

describe('an erased event', () => {
  it('is sent to no later subscriber, from the tail or from the log', async () => {
    const stage = new Stage()
    stage.listen('plans')
    await turns(5)
    stage.say('plans', 'secret')
    stage.say('plans', 'other')
    await turns(20)
    const reads = stage.reads
    stage.redact('plans', 1)
    const late = stage.listen('plans')
    await turns(20)
    expect(late.texts).toEqual(['[redacted]', 'other'])
    expect(stage.reads).toBeGreaterThan(reads)
  })

  it('is sent to no later subscriber after a lost signal, once the server resumes', async () => {
    const stage = new Stage()
    stage.listen('plans')
    await turns(5)
    stage.say('plans', 'secret')
    await turns(20)
    stage.redact('plans', 1, { isTold: false })
    stage.hear({ kind: 'resumed' })
    await turns(20)
    const late = stage.listen('plans')
    await turns(20)
    expect(late.texts).toEqual(['[redacted]'])
  })

  it('is read again by a subscriber whose read was in flight', async () => {
    const stage = new Stage()
    stage.say('plans', 'secret')
    let open = () => {}
    stage.gate = new Promise((resolve) => {
      open = resolve
    })
    const { texts } = stage.listen('plans')
    await turns(5)
    stage.redact('plans', 1)
    open()
    await turns(20)
    expect(texts).toEqual(['[redacted]'])
  })

  it('ends the streams of a deleted space only', async () => {
    const stage = new Stage()
    for (const space of ['plans', 'trips']) stage.say(space, 'one')
    const [gone, other] = [stage.listen('plans'), stage.listen('trips')]
    await turns(20)
    stage.delete('plans')
    await turns(20)
    expect([gone.end, other.end]).toEqual(['Space not found', null])
  })
})

describe('a failover', () => {
  const interrupted = { kind: 'interrupted' } as const
  const resumed = { kind: 'resumed' } as const

  it("ends the streams of a lost event's space only", async () => {
    const stage = new Stage()
    const [loser, other] = [stage.listen('plans'), stage.listen('trips')]
    await turns(5)
    for (const space of ['plans', 'trips']) for (const text of ['one', 'two']) stage.say(space, text)
    await turns(20)
    stage.hear(interrupted)
    stage.lose('plans')
    stage.hear(resumed)
    await turns(20)
    expect(loser.end).toMatch(/^The database lost events/)
    stage.say('trips', 'three')
    await turns(20)
    expect(other).toMatchObject({ texts: ['one', 'two', 'three'], end: null })
  })

  it.each(['from the tail', 'from the log'])('ends streams before another event follows, read %s', async (source) => {
    const stage = new Stage()
    if (source === 'from the log') for (const text of ['one', 'lost']) stage.say('plans', text)
    const loser = stage.listen('plans')
    await turns(5)
    if (source === 'from the tail') for (const text of ['one', 'lost']) stage.say('plans', text)
    await turns(20)
    stage.hear(interrupted)
    stage.lose('plans')
    for (const text of ['two', 'three']) stage.say('plans', text)
    await turns(20)
    expect(loser).toMatchObject({ texts: ['one', 'lost'], end: expect.stringMatching(/^The database lost events/) })
    const late = stage.listen('plans')
    await turns(20)
    stage.hear(resumed)
    stage.say('plans', 'four')
    await turns(20)
    expect(late).toMatchObject({ texts: ['one', 'two', 'three', 'four'], end: null })
  })

  it('interrupts no stream when no event was lost', async () => {
    const stage = new Stage()
    const reader = stage.listen('plans')
    await turns(5)
    stage.say('plans', 'one')
    stage.hear(interrupted)
    stage.say('plans', 'two')
    await turns(20)
    stage.hear(resumed)
    stage.say('plans', 'three')
    await turns(20)
    expect(reader).toMatchObject({ texts: ['one', 'two', 'three'], end: null })
  })
})

describe('the memory budget of tails', () => {
  const tail = () => {
    const it = { evicted: 0, evict: () => void it.evicted++ }
    return it
  }

  it('evicts the tails that were written to least recently', () => {
    const budget = new TailBudget(100)
    const [a, b, c] = [tail(), tail(), tail()]
    budget.grow(a, 40)
    budget.grow(b, 40)
    budget.grow(a, 45)
    budget.grow(c, 15)
    expect([a, b, c].map(({ evicted }) => evicted)).toEqual([0, 0, 0])
    budget.grow(c, 20)
    expect([a, b, c].map(({ evicted }) => evicted)).toEqual([0, 1, 0])
    budget.grow(c, 90)
    expect([a, b, c].map(({ evicted }) => evicted)).toEqual([1, 1, 0])
  })

  it('is released when a tail has no subscribers', () => {
    const budget = new TailBudget(100)
    const [a, b] = [tail(), tail()]
    budget.grow(a, 90)
    budget.release(a)
    budget.grow(b, 90)
    expect(a.evicted).toBe(0)
    expect(b.evicted).toBe(0)
  })

  it('is shared by all spaces, and late subscribers read evicted events from the log', async () => {
    const stage = new Stage()
    const text = 'x'.repeat(900_000)
    const spaces = Array.from({ length: 80 }, (_, n) => `space-${n}`)
    for (const space of spaces) stage.listen(space)
    await turns(5)
    for (const space of spaces) stage.say(space, text)
    await turns(20)
    const reads = stage.reads
    const [early, late] = [stage.listen('space-0'), stage.listen('space-79')]
    await turns(5)
    expect(early.texts).toEqual([text])
    expect(late.texts).toEqual([text])
    // The newest tail is still in memory, the oldest was evicted.
    expect(stage.reads).toBe(reads + 1)
    stage.say('space-0', 'live')
    await turns(5)
    expect(early.texts).toEqual([text, 'live'])
    expect(stage.reads).toBe(reads + 1)
  })
})
