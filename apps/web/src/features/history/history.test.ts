import type { Event, SpaceAct } from '@collab-spaces/client'
import { describe, expect, it, vi } from 'vitest'
import { History, LONG_PAGE, MAX_EVENTS, PAGE } from './history'
import { rowsOf } from './rows'
import type { HistorySource } from './source'

const event = (position: number, text = String(position)): Event => ({
  event_id: `e${position}`,
  space_id: 'plans',
  speaker_id: 'ada',
  speaker_name: 'Ada',
  speaker_type: 'human',
  text,
  timestamp: new Date(position * 1_000).toISOString(),
  parent_event_id: null,
  references: [],
  thread_id: null,
  metadata: null,
  posted_by: 'ada',
  posted_by_name: 'Ada',
  posted_by_type: 'human',
})

const act = (position: number, second: number): SpaceAct => ({
  space_id: 'plans',
  position,
  created_at: new Date(second * 1_000).toISOString(),
  decision_id: `d${position}`,
  actor_id: 'ada',
  actor_type: 'human',
  sponsor_id: null,
  credential_id: 'api_key',
  kind: 'reviewed',
  verdict: 'approve',
  note: null,
})

/** An in-memory space, whose stream delivers new events. */
class Space implements HistorySource {
  readonly events: Event[] = []
  readonly done: SpaceAct[] = []
  /** The number of requests for acts. */
  asked = 0
  #wake = new Set<() => void>()
  #tell = new Set<(decisionId: string | null) => void>()

  constructor(length: number) {
    for (let position = 1; position <= length; position++) this.events.push(event(position))
  }

  say(text: string): void {
    this.events.push(event(this.events.length + 1, text))
    for (const wake of this.#wake) wake()
  }

  /** At the time of an event, or between two. */
  act(second: number): void {
    const added = act(this.done.length + 1, second)
    this.done.push(added)
    for (const tell of this.#tell) tell(added.decision_id)
  }

  readonly acts: HistorySource['acts'] = {
    tail: (limit) => this.#acts((all) => all.slice(-limit)),
    before: (position, limit) => this.#acts((all) => all.slice(0, position - 1).slice(-limit)),
    since: (position, limit) => this.#acts((all) => all.slice(position).slice(0, limit)),
    from: (time, limit) => this.#acts((all) => all.filter(({ created_at }) => created_at >= time).slice(0, limit)),
  }

  async #acts(page: (all: SpaceAct[]) => SpaceAct[]): Promise<SpaceAct[]> {
    this.asked += 1
    return page(this.done)
  }

  tail = async (limit: number) => this.events.slice(-limit)
  before = async (id: string, limit: number) => {
    const index = this.#index(id)
    return this.events.slice(Math.max(0, index - limit), index)
  }
  since = async (id: string, limit: number) => this.events.slice(this.#index(id) + 1).slice(0, limit)
  get = async (id: string) => this.events[this.#index(id)] as Event
  firstFrom = async (time: string) => this.events.find(({ timestamp }) => timestamp >= time)?.event_id ?? null

  stream: HistorySource['stream'] = ({ since, signal, onConnect, onAct }) => {
    if (onAct) this.#tell.add(onAct)
    signal?.addEventListener('abort', () => onAct && this.#tell.delete(onAct))
    let next = since === undefined ? 0 : this.#index(since) + 1
    const { events } = this
    const arrival = () =>
      new Promise<void>((resolve) => {
        this.#wake.add(resolve)
        signal?.addEventListener('abort', () => resolve())
      })
    return {
      async *[Symbol.asyncIterator]() {
        onConnect?.()
        while (!signal?.aborted) {
          const event = events[next]
          if (event) {
            next += 1
            yield event
          } else await arrival()
        }
      },
    }
  }

  #index = (id: string) => this.events.findIndex(({ event_id }) => event_id === id)
}

/** A space with delayed responses. */
function delayed(space: Space, late: 'before' | 'since', ms = 20): HistorySource {
  const answer = space[late]
  const later = async (id: string, limit: number) => {
    const page = await answer(id, limit)
    await new Promise((resolve) => setTimeout(resolve, ms))
    return page
  }
  return { ...space, [late]: later }
}

const textsOf = (history: History) => history.state.value.events.map(({ text }) => text)

/** Asserts that the run has no gaps and no duplicates. */
function expectRun(history: History, space: Space): void {
  const { events, hasNewer } = history.state.value
  const start = space.events.findIndex(({ event_id }) => event_id === events[0]?.event_id)
  expect(events).toEqual(space.events.slice(start, start + events.length))
  if (!hasNewer) expect(events.at(-1)).toEqual(space.events.at(-1))
}

describe('a history', () => {
  it('starts with the newest page, and continues with new events', async () => {
    const space = new Space(250)
    const history = new History(space)
    await history.toNewest()
    expect(history.state.value).toMatchObject({ status: 'ready', hasOlder: true, hasNewer: false })
    space.say('one')
    space.say('two')
    await vi.waitFor(() => expect(textsOf(history).slice(-2)).toEqual(['one', 'two']))
    expect(history.state.value.events).toHaveLength(PAGE + 2)
    expectRun(history, space)
    history.close()
  })

  it('starts with the first event of an empty space', async () => {
    const space = new Space(0)
    const history = new History(space)
    await history.toNewest()
    space.say('first')
    await vi.waitFor(() => expect(textsOf(history)).toEqual(['first']))
    history.close()
  })

  it('prefetches the newest page for a jump to it or shortly before', async () => {
    const space = new Space(250)
    const [tail, before] = [vi.fn(space.tail), vi.fn(space.before)]
    const goesTo = async (go: (history: History) => Promise<void>) => {
      const history = new History({ ...space, tail, before })
      history.readAhead()
      space.say('meanwhile')
      await go(history)
      await vi.waitFor(() => expect(history.state.value.events.at(-1)).toEqual(space.events.at(-1)))
      expectRun(history, space)
      history.close()
      return history.state.value.destination.eventId
    }
    expect(await goesTo((history) => history.toNewest())).toBeNull()
    expect(await goesTo((history) => history.toEvent('e200'))).toBe('e200')
    expect([tail, before].map(({ mock }) => mock.calls.length)).toEqual([2, 0])
  })

  it('jumps beyond the prefetched page, and without one', async () => {
    const space = new Space(250)
    const history = new History({ ...space, tail: vi.fn(space.tail).mockRejectedValueOnce(new Error('no')) })
    history.readAhead()
    await history.toEvent('e200')
    expect(history.state.value).toMatchObject({ status: 'ready', destination: { eventId: 'e200' } })
    history.readAhead()
    await history.toEvent('e20')
    expect(history.state.value.events.some(({ event_id }) => event_id === 'e20')).toBe(true)
    expectRun(history, space)
    history.close()
  })

  it('jumps to the first unread event by another poster, or to the newest', async () => {
    const space = new Space(250)
    const bob = { ...(space.events[249] as Event), event_id: 'e251', posted_by: 'bob' }
    const history = new History(space)
    await history.toUnread('e240', 'ada')
    expect(history.state.value).toMatchObject({ hasNewer: false, destination: { eventId: null } })
    expect(history.isAtEnd).toBe(true)
    space.events.push(bob)
    await history.toUnread('e240', 'ada')
    expect(history.state.value.destination.eventId).toBe('e251')
    expect(history.isAtEnd).toBe(false)
    await history.toUnread('', 'bob')
    expect(history.state.value).toMatchObject({ hasOlder: false, destination: { eventId: 'e1' } })
    expectRun(history, space)
    history.close()
  })

  it('grows at its start, up to the first event of the space', async () => {
    const space = new Space(250)
    const history = new History(space)
    await history.toNewest()
    await Promise.all([history.loadOlder(), history.loadOlder()])
    expect(history.state.value.events).toHaveLength(2 * PAGE)
    await history.loadOlder()
    expect(history.state.value).toMatchObject({ hasOlder: false })
    expectRun(history, space)
    expect(history.state.value.events).toHaveLength(250)
    history.close()
  })

  it('counts events beyond it, and continues without a gap at the end', async () => {
    const space = new Space(400)
    const history = new History(space)
    await history.toEvent('e100')
    expect(history.state.value).toMatchObject({ hasOlder: true, hasNewer: true, destination: { eventId: 'e100' } })
    space.say('far away')
    await vi.waitFor(() => expect(history.state.value.unseen).toBe(1))
    expectRun(history, space)
    while (history.state.value.hasNewer) await history.loadNewer()
    space.say('here')
    await vi.waitFor(() => expect(textsOf(history).slice(-2)).toEqual(['far away', 'here']))
    // The reader is not at the end yet.
    expect(history.state.value.unseen).toBe(1)
    history.isAtEnd = true
    expect(history.state.value.unseen).toBe(0)
    expectRun(history, space)
    history.close()
  })

  it('grows at both ends concurrently, in any order of responses', async () => {
    for (const late of ['before', 'since'] as const) {
      const space = new Space(120)
      const history = new History(delayed(space, late))
      await history.toEvent('e60')
      await Promise.all([history.loadOlder(), history.loadNewer()])
      expect(history.state.value).toMatchObject({ hasOlder: false, hasNewer: false })
      expect(history.state.value.events).toHaveLength(120)
      expectRun(history, space)
      history.close()
    }
  })

  it('ignores a page for an end that was trimmed meanwhile', async () => {
    const space = new Space(3 * MAX_EVENTS)
    const history = new History(delayed(space, 'since', 300))
    await history.toEvent(`e${MAX_EVENTS + 5 * PAGE}`)
    while (history.state.value.events.length < MAX_EVENTS) await history.loadOlder()
    const newer = history.loadNewer()
    // The end is trimmed while its next page loads.
    while (history.state.value.events.length <= MAX_EVENTS + PAGE) await history.loadOlder()
    await newer
    expectRun(history, space)
    expect(history.state.value.hasNewer).toBe(true)
    history.close()
  })

  it('opens no stream after it is closed', async () => {
    const space = new Space(200)
    const stream = vi.fn(space.stream)
    const history = new History({ ...space, stream })
    await history.toNewest()
    expect(stream).toHaveBeenCalledTimes(1)
    const looking = history.toTime(new Date(20_000).toISOString())
    history.close()
    await looking
    expect(stream).toHaveBeenCalledTimes(1)
    expect(history.state.value.destination.eventId).toBeNull()
  })

  it('opens no stream while paused, and resumes from its cursor', async () => {
    const space = new Space(3)
    const stream = vi.fn(space.stream)
    const history = new History({ ...space, stream })
    history.rest()
    await history.toNewest()
    expect(stream).not.toHaveBeenCalled()
    space.say('meanwhile')
    history.wake()
    await vi.waitFor(() => expect(textsOf(history)).toEqual(['1', '2', '3', 'meanwhile']))
    history.close()
  })

  it('retries the last jump', async () => {
    const space = new Space(200)
    const history = new History({ ...space, get: vi.fn(space.get).mockRejectedValueOnce(new Error('no')) })
    await history.toEvent('e20')
    expect(history.state.value.status).toBe('failed')
    await history.tryAgain()
    expect(history.state.value).toMatchObject({ status: 'ready', destination: { eventId: 'e20' } })
    history.close()
  })

  it('trims distant events', async () => {
    const space = new Space(MAX_EVENTS + 5 * PAGE)
    const history = new History(space)
    await history.toNewest()
    while (history.state.value.hasOlder) {
      await history.loadOlder()
      expect(history.state.value.events.length).toBeLessThanOrEqual(MAX_EVENTS + PAGE + LONG_PAGE)
      if (history.state.value.events.length > MAX_EVENTS + PAGE) {
        await vi.waitFor(() => expect(history.state.value.events).toHaveLength(MAX_EVENTS))
      }
    }
    expect(history.state.value.hasNewer).toBe(true)
    expect(textsOf(history)[0]).toBe('1')
    expectRun(history, space)
    await history.toNewest()
    expectRun(history, space)
    history.close()
  })

  it('pauses and resumes at its position', async () => {
    const space = new Space(3)
    const history = new History(space)
    await history.toNewest()
    history.rest()
    space.say('meanwhile')
    history.wake()
    await vi.waitFor(() => expect(textsOf(history)).toEqual(['1', '2', '3', 'meanwhile']))
    history.close()
  })

  it('keeps the events that arrived just before a pause', async () => {
    const space = new Space(3)
    const history = new History(space)
    await history.toNewest()
    space.say('just before')
    // The event is batched, and not shown yet.
    await new Promise((resolve) => setTimeout(resolve, 0))
    history.rest()
    history.wake()
    space.say('after')
    await vi.waitFor(() => expect(textsOf(history)).toEqual(['1', '2', '3', 'just before', 'after']))
    history.close()
  })

  it('jumps to a time, or reports that there is no event', async () => {
    const space = new Space(200)
    const history = new History(space)
    await history.toNewest()
    expect(await history.toTime(new Date(20_000).toISOString())).toBe(true)
    expect(history.state.value.destination.eventId).toBe('e20')
    expect(await history.toTime('2030-01-01T00:00:00.000Z')).toBe(false)
    expect(history.state.value.destination.eventId).toBe('e20')
    history.close()
  })

  it('keeps the error of a failed load, and can retry', async () => {
    const space = new Space(3)
    const history = new History({ ...space, tail: vi.fn(space.tail).mockRejectedValueOnce(new Error('no')) })
    await history.toNewest()
    expect(history.state.value).toMatchObject({ status: 'failed', error: new Error('no') })
    await history.toNewest()
    expect(history.state.value.status).toBe('ready')
    history.close()
  })
})

/** Returns the keys of the visible lines. */
function linesOf(history: History): readonly string[] {
  const { events, acts, hasOlder, hasNewer } = history.state.value
  const options = { events, acts, isAtStart: !hasOlder, isAtTail: !hasNewer, outgoing: [], unreadAfter: null }
  return rowsOf({ ...options, actorId: 'ada' }).map(({ key }) => key)
}

/** Returns all lines of a space, by time. */
function allLines({ events, done }: Space): readonly string[] {
  const lines = [
    ...events.map(({ event_id, timestamp }) => ({ key: event_id, at: timestamp })),
    ...done.map(({ position, created_at }) => ({ key: `act-${position}`, at: created_at })),
  ]
  return lines.toSorted((a, b) => a.at.localeCompare(b.at)).map(({ key }) => key)
}

/** Asserts that visible lines have no gaps, neither of events nor of acts. */
function expectNoGaps(history: History, space: Space): void {
  const lines = linesOf(history)
  const all = allLines(space)
  const start = all.indexOf(lines[0] ?? '')
  expect(lines).toEqual(all.slice(start, start + lines.length))
}

describe.each([
  ['few and far between', [20.5, 180.5, 240.5]],
  ['many at once', Array.from({ length: 130 }, (_, at) => 200.1 + at / 1_000)],
  ['before all events, and after them', Array.from({ length: 170 }, (_, at) => (at < 120 ? at / 1_000 : 260 + at))],
  ['with every event', Array.from({ length: 250 }, (_, at) => at + 1.5)],
  ['none', []],
])('acts that are %s', (_, seconds) => {
  const spaceWith = () => {
    const space = new Space(250)
    for (const second of seconds) space.act(second)
    return space
  }

  it('load with the events while scrolling back, without gaps', async () => {
    const space = spaceWith()
    const history = new History(space)
    await history.toNewest()
    expect(linesOf(history).at(-1)).toBe(allLines(space).at(-1))
    for (let steps = 0; linesOf(history).length < allLines(space).length; steps++) {
      expect(steps).toBeLessThan(20)
      const before = linesOf(history).length
      await history.loadOlder()
      expect(linesOf(history).length).toBeGreaterThan(before)
      expectNoGaps(history, space)
    }
    history.close()
  })

  it('load around an event in the middle', async () => {
    const space = spaceWith()
    const history = new History(space)
    await history.toEvent('e100')
    expect(linesOf(history)).toContain('e100')
    while (history.state.value.hasNewer) {
      expectNoGaps(history, space)
      await history.loadNewer()
    }
    expectNoGaps(history, space)
    expect(linesOf(history).at(-1)).toBe(allLines(space).at(-1))
    history.close()
  })
})

describe('an act', () => {
  it('appears when it is announced, by one request', async () => {
    const space = new Space(250)
    const history = new History(space)
    await history.toNewest()
    await vi.waitFor(() => expect(history.state.value.connection).toBe('live'))
    await vi.waitFor(() => expect(space.asked).toBe(2))
    space.act(251.5)
    await vi.waitFor(() => expect(linesOf(history).at(-1)).toBe('act-1'))
    expect(space.asked).toBe(3)
    space.say('one more')
    await vi.waitFor(() => expect(textsOf(history).at(-1)).toBe('one more'))
    expect(space.asked).toBe(3)
    history.close()
  })

  it('counts as new while reading above', async () => {
    const space = new Space(250)
    const history = new History(space)
    await history.toNewest()
    await vi.waitFor(() => expect(history.state.value.connection).toBe('live'))
    history.isAtEnd = false
    space.act(251.5)
    await vi.waitFor(() => expect(history.state.value.unseen).toBe(1))
    history.close()
  })
})
