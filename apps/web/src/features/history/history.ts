import { type Event, PAGES, type SpaceAct } from '@collab-spaces/client'
import { Cell } from '../../shared/cell'
import type { Connection } from '../../shared/live/said'
import {
  ACTS,
  type ActRun,
  actsFrom,
  NO_ACTS,
  newestActs,
  withNewer,
  withOlder,
  withoutNewer,
  withoutOlder,
} from './acts'
import { firstUnreadIn } from './rows'
import { BEGINNING, type HistorySource } from './source'

/** As many events as are read at a time. */
export const PAGE = 100
/** As many when the next page is wanted soon after the last, by somebody who scrolls on and on: the service gives no more. */
export const LONG_PAGE = PAGES.events.max
const SOON_MS = 1_000
/** As many on each side of an event that is jumped to. */
const AROUND = 50
/** As many as are kept: those at the other end of a longer run are let go, and read again when they are wanted. */
export const MAX_EVENTS = 2_000
/** So much of what was read before stands above what is unread. */
const BEFORE_UNREAD_PX = 96
/** Events that arrive together are shown together. */
const GATHER_MS = 16

/** Where the reader is to be taken; a new serial each time. */
export interface Destination {
  readonly serial: number
  /** Null for the newest; `BEGINNING` is one, too. */
  readonly eventId: string | null
  /** How many pixels below the edge it was, for a reader who comes back; null for one who comes to see it. */
  readonly top: number | null
}

export interface HistoryState {
  readonly status: 'loading' | 'ready' | 'failed'
  /** Why it could not be read, when it has failed. */
  readonly error: unknown
  /** A run of the space's history without gaps. */
  readonly events: readonly Event[]
  readonly hasOlder: boolean
  /** The acts of that time. Where they reach less far back than the events, only the events since then are shown. */
  readonly acts: ActRun
  /** False while the run reaches to the end: only then do new events continue it. */
  readonly hasNewer: boolean
  /** How many have arrived since the reader was last at the end. */
  readonly unseen: number
  readonly connection: Connection
  readonly destination: Destination
}

interface Place extends Pick<HistoryState, 'events' | 'hasOlder' | 'hasNewer' | 'acts'> {
  /** The cursor of the stream: the newest event of the space that is known. */
  readonly cursor: string | undefined
  /** Where the reader goes instead, as is known only now: an event, or null for the newest. */
  readonly goesTo?: string | null
}

const NOWHERE: HistoryState = {
  status: 'loading',
  error: null,
  events: [],
  acts: NO_ACTS,
  hasOlder: false,
  hasNewer: false,
  unseen: 0,
  connection: 'connecting',
  destination: { serial: 0, eventId: null, top: null },
}

/**
 * The part of a space's history that a reader sees: one run of it, which grows at both ends as it is scrolled, and a stream that
 * continues it. The stream is open all the time, so that what arrives beyond the run is counted.
 */
export class History {
  readonly state = new Cell<HistoryState>(NOWHERE)
  #isAtEnd = true
  #journey = 0
  #loading = { older: false, newer: false }
  #pageCameAt = Number.NEGATIVE_INFINITY
  #stream = new AbortController()
  /** Whether acts are being read because there are more, and whether there are more again. */
  #actsComing: 'none' | 'reading' | 'again' = 'none'
  #isResting = false
  /** Where it was last to go: an event, or null for the newest. */
  #wanted: string | null = null
  /** The newest page, read for a reader who may go there. */
  #ahead: Promise<Place> | null = null
  /** After which event the stream goes on. */
  #cursor: string | undefined

  constructor(
    private readonly source: HistorySource,
    /** Called with all that arrives, in its order. */
    private readonly onArrival: (events: readonly Event[]) => void = () => {},
  ) {}

  /** Whether the reader looks at the end of the run: then its beginning may be let go, and all that it has was seen. */
  get isAtEnd(): boolean {
    return this.#isAtEnd
  }

  set isAtEnd(isAtEnd: boolean) {
    this.#isAtEnd = isAtEnd
    const { hasNewer, unseen } = this.state.value
    if (isAtEnd && !hasNewer && unseen > 0) this.#patch({ unseen: 0 })
  }

  close(): void {
    this.#journey += 1
    this.#stream.abort()
  }

  /** Follows the space no more while nobody looks. */
  rest(): void {
    this.#isResting = true
    this.#stream.abort()
  }

  /** Goes on where it was, with all that has happened since. */
  wake(): void {
    if (!this.#isResting) return
    this.#isResting = false
    if (this.state.value.status === 'ready') void this.#follow(this.#cursor)
  }

  /** Reads the newest while it is not known yet whether the reader goes there, or to an event shortly before. */
  readAhead(): void {
    this.#ahead = this.#newest()
    // A reader who goes there is told of the failure.
    this.#ahead.catch(() => {})
  }

  toNewest(): Promise<void> {
    return this.#go(null, null, () => this.#takeAhead() ?? this.#newest())
  }

  /** To an event, or to the `BEGINNING`. */
  toEvent(eventId: string, top: number | null = null): Promise<void> {
    return this.#go(eventId, top, () => this.#around(eventId))
  }

  /** To the first event after one, or after the `BEGINNING`, that is news to somebody; to the newest if there is none. */
  toUnread(after: string, actorId: string): Promise<void> {
    return this.#go(after, BEFORE_UNREAD_PX, async () => {
      const place = await this.#around(after)
      const { events, hasOlder } = place
      const first = firstUnreadIn({ events, isAtStart: !hasOlder, unreadAfter: after, actorId })
      return first ? { ...place, goesTo: first.event_id } : { ...(await this.#newest()), goesTo: null }
    })
  }

  /** After a failure, to where it was to go. */
  tryAgain(): Promise<void> {
    return this.#wanted === null ? this.toNewest() : this.toEvent(this.#wanted)
  }

  /** To the first event at that time or later, unless the reader has gone elsewhere meanwhile. False if there is none. */
  async toTime(time: string): Promise<boolean> {
    const journey = this.#journey
    const eventId = await this.source.firstFrom(time)
    if (eventId !== null && journey === this.#journey) await this.toEvent(eventId)
    return eventId !== null
  }

  async loadOlder(): Promise<void> {
    const { events, hasOlder, acts } = this.state.value
    const first = events[0]
    if ((!hasOlder && acts.from === null) || this.#loading.older) return
    await this.#extend('older', async (isHere) => {
      const limit = this.#nextPage()
      // While the acts reach less far back, the events wait for them.
      const isAhead = acts.from !== null && first !== undefined && first.timestamp < acts.from
      const page = hasOlder && first && !isAhead ? await this.source.before(first.event_id, limit) : null
      const reachesStart = page ? page.length < limit : !hasOlder
      const oldest = reachesStart ? '' : (page?.[0] ?? first)?.timestamp
      const isWanted = acts.from !== null && (oldest === undefined || oldest < acts.from)
      const older = isWanted ? await this.source.acts.before(acts.before, ACTS) : null
      if (!isHere()) return
      this.#pageCameAt = performance.now()
      const now = this.state.value
      // The beginning of the run was let go meanwhile: with this page, it would have a gap.
      if (now.events[0] !== first || now.acts.before !== acts.before) return
      this.#patch({
        ...(page && { events: [...page, ...now.events], hasOlder: !reachesStart }),
        ...(older && { acts: withOlder(now.acts, older) }),
      })
      this.#later(() => this.#letGoOfEnd())
    })
  }

  async loadNewer(): Promise<void> {
    const { events, hasNewer } = this.state.value
    const last = events.at(-1)
    if (!hasNewer || !last || this.#loading.newer) return
    await this.#extend('newer', async (isHere) => {
      const limit = this.#nextPage()
      const page = await this.source.since(last.event_id, limit)
      const reached = page.length < limit
      const newest = page.at(-1) ?? last
      const known = this.state.value.acts
      const upTo = await this.#actsUpTo(known, reached ? null : newest.timestamp)
      if (!isHere()) return
      this.#pageCameAt = performance.now()
      const { events, acts } = this.state.value
      if (events.at(-1) !== last) return
      this.#patch({
        events: [...events, ...page],
        hasNewer: !reached,
        acts: upTo === known ? acts : withNewer(acts, upTo.acts, upTo.to === null),
        ...(reached && { unseen: 0 }),
      })
      // The events since then were only counted: the stream delivers them once more, now to continue the run.
      if (reached) void this.#follow(newest.event_id)
      this.#later(() => this.#letGoOfBeginning())
    })
  }

  async #go(eventId: string | null, top: number | null, load: () => Promise<Place>): Promise<void> {
    this.#journey += 1
    this.#wanted = eventId
    const journey = this.#journey
    const isHere = () => journey === this.#journey
    this.#patch({ error: null, ...(this.state.value.status === 'failed' && { status: 'loading' as const }) })
    try {
      const { cursor, goesTo = eventId, ...place } = await load()
      if (!isHere()) return
      this.#loading = { older: false, newer: false }
      this.isAtEnd = goesTo === null
      this.#patch({ ...place, status: 'ready', unseen: 0, destination: { serial: journey, eventId: goesTo, top } })
      void this.#follow(cursor)
    } catch (error) {
      if (isHere()) this.#patch({ status: 'failed', error })
    }
  }

  #takeAhead(): Promise<Place> | null {
    const ahead = this.#ahead
    this.#ahead = null
    return ahead
  }

  async #newest(): Promise<Place> {
    const [events, acts] = await Promise.all([this.source.tail(PAGE), this.source.acts.tail(ACTS)])
    const cursor = events.at(-1)?.event_id
    return { events, hasOlder: events.length === PAGE, hasNewer: false, acts: newestActs(acts), cursor }
  }

  async #around(eventId: string): Promise<Place> {
    const ahead = await this.#takeAhead()?.catch(() => null)
    if (ahead?.events.some(({ event_id }) => event_id === eventId)) return ahead
    if (eventId === BEGINNING) return await this.#beginning()
    const [before, [event, around], since, [newest]] = await Promise.all([
      this.source.before(eventId, AROUND),
      this.source.get(eventId).then(async (event) => [event, await this.#actsAround(event.timestamp)] as const),
      this.source.since(eventId, AROUND),
      this.source.tail(1),
    ])
    const events = [...before, event, ...since]
    const hasNewer = since.length === AROUND
    const cursor = hasNewer ? newest?.event_id : events.at(-1)?.event_id
    const acts = await this.#actsUpTo(around, hasNewer ? (events.at(-1)?.timestamp ?? null) : null)
    return { events, hasOlder: before.length === AROUND, hasNewer, acts, cursor }
  }

  async #beginning(): Promise<Place> {
    const [events, [newest], page] = await Promise.all([
      this.source.since(BEGINNING, PAGE),
      this.source.tail(1),
      this.source.acts.since(0, ACTS),
    ])
    const hasNewer = events.length === PAGE
    const cursor = hasNewer ? newest?.event_id : events.at(-1)?.event_id
    const run = withNewer(NO_ACTS, page, page.length < ACTS)
    const acts = await this.#actsUpTo(run, hasNewer ? (events.at(-1)?.timestamp ?? null) : null)
    return { events, hasOlder: false, hasNewer, acts, cursor }
  }

  /** The acts at a time and later, and a page before that. */
  async #actsAround(time: string): Promise<ActRun> {
    const since = await this.source.acts.from(time, ACTS)
    const first = since[0]
    if (!first) return newestActs(await this.source.acts.tail(ACTS))
    return withOlder(actsFrom(since, time), await this.source.acts.before(first.position, ACTS))
  }

  /** A run of acts that reaches to a time, or to the newest (null). */
  async #actsUpTo(run: ActRun, time: string | null): Promise<ActRun> {
    let reaching = run
    while (reaching.to !== null && (time === null || reaching.to < time)) {
      const page = await this.source.acts.since(reaching.after, LONG_PAGE)
      reaching = withNewer(reaching, page, page.length < LONG_PAGE)
    }
    return reaching
  }

  /** Something was done: reads what there is of it, once at a time, where the run reaches to the newest. */
  async #readActs(): Promise<void> {
    if (this.#actsComing !== 'none') {
      this.#actsComing = 'again'
      return
    }
    try {
      do {
        this.#actsComing = 'reading'
        const journey = this.#journey
        const { after, to } = this.state.value.acts
        if (to !== null) return
        const page = await this.source.acts.since(after, LONG_PAGE)
        if (journey === this.#journey) this.#actsArrive(page)
        if (page.length === LONG_PAGE) this.#actsComing = 'again'
      } while (this.#isMoreComing())
    } catch {
      // The next act, or the next connection, has it read again.
    } finally {
      this.#actsComing = 'none'
    }
  }

  /** Asked anew after each wait. */
  #isMoreComing(): boolean {
    return this.#actsComing === 'again'
  }

  #actsArrive(page: readonly SpaceAct[]): void {
    const { acts, hasNewer, unseen } = this.state.value
    const grown = withNewer(acts, page, true)
    const count = grown.acts.length - acts.acts.length
    if (count === 0) return
    this.#patch({ acts: grown, unseen: this.isAtEnd && !hasNewer ? 0 : unseen + count })
  }

  #nextPage(): number {
    return performance.now() - this.#pageCameAt < SOON_MS ? LONG_PAGE : PAGE
  }

  /** Reads at one end, once at a time. A failure leaves things as they are: the next scroll tries again. */
  async #extend(end: 'older' | 'newer', read: (isHere: () => boolean) => Promise<void>): Promise<void> {
    const journey = this.#journey
    const loading = this.#loading
    loading[end] = true
    try {
      await read(() => journey === this.#journey)
    } catch {
      this.#patch({})
    } finally {
      loading[end] = false
    }
  }

  /** Follows the space after an event, or from its beginning, in place of whatever was followed before. */
  async #follow(cursor: string | undefined): Promise<void> {
    this.#stream.abort()
    this.#cursor = cursor
    if (this.#isResting) return
    const controller = new AbortController()
    this.#stream = controller
    const { signal } = controller
    const say = (connection: Connection) => signal.aborted || this.#patch({ connection })
    const gathered: Event[] = []
    const flush = () => {
      const events = gathered.splice(0)
      // Gathered events have moved the cursor, also if the connection was let go; only another one makes them void.
      if (this.#stream === controller) this.#arrive(events)
    }
    const stream = this.source.stream({
      since: cursor,
      signal,
      onConnect: () => {
        say('live')
        // Acts without a connection were not announced.
        if (!signal.aborted) void this.#readActs()
      },
      onAct: () => {
        if (!signal.aborted) void this.#readActs()
      },
      onReconnect: () => say('reconnecting'),
    })
    try {
      for await (const event of stream) {
        if (signal.aborted) return
        this.#cursor = event.event_id
        if (gathered.push(event) === 1) setTimeout(flush, GATHER_MS)
      }
      if (stream.endedBy === 'credential') say('ended')
    } catch {
      say('ended')
    }
  }

  #arrive(arrived: readonly Event[]): void {
    const { events, hasNewer, unseen } = this.state.value
    const isTooLong = events.length + arrived.length > 2 * MAX_EVENTS && !this.isAtEnd
    if (hasNewer || isTooLong) this.#patch({ hasNewer: true, unseen: unseen + arrived.length })
    else {
      this.#patch({ events: [...events, ...arrived], unseen: this.isAtEnd ? 0 : unseen + arrived.length })
      if (this.isAtEnd) this.#later(() => this.#letGoOfBeginning())
    }
    this.onArrival(arrived)
  }

  #letGoOfBeginning(): void {
    const { events, acts } = this.state.value
    if (events.length <= MAX_EVENTS + PAGE) return
    const kept = events.slice(-MAX_EVENTS)
    this.#patch({ events: kept, hasOlder: true, acts: withoutOlder(acts, kept[0]?.timestamp ?? '') })
  }

  #letGoOfEnd(): void {
    const { events, acts } = this.state.value
    if (events.length <= MAX_EVENTS + PAGE) return
    const kept = events.slice(0, MAX_EVENTS)
    const last = kept.at(-1)
    this.#patch({ events: kept, hasNewer: true, acts: last ? withoutNewer(acts, last.timestamp) : acts })
  }

  /** A list that changes at both ends in one step could not keep its place. */
  #later(step: () => void): void {
    const journey = this.#journey
    setTimeout(() => journey === this.#journey && step(), 100)
  }

  #patch(change: Partial<HistoryState>): void {
    this.state.set({ ...this.state.value, ...change })
  }
}
