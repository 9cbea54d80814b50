import { type Event, PAGES, revisedId, type SpaceAct } from '@collab-spaces/client'
import { Cell } from '../../shared/cell'
import type { Connection } from '../../shared/live/tab-message'
import {
  ACTS_PAGE,
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

/** The page size of events. */
export const PAGE = 100
/** The page size while scrolling continuously, the maximum of the API. */
export const LONG_PAGE = PAGES.events.max
const CONTINUOUS_SCROLL_MS = 1_000
/** The number of events on each side of a jump target. */
const AROUND = 50
/** The maximum length of the run. A longer one is trimmed at its far end, which is read again on demand. */
export const MAX_EVENTS = 2_000
/** The distance of the first unread event from the top edge, so that some read context shows above it. */
export const BEFORE_UNREAD_PX = 96
/** Batches arriving events into one update. */
const BATCH_DELAY_MS = 16

/** A scroll target. Each jump has a new serial. */
export interface Destination {
  readonly serial: number
  /** Null for the newest event; may be `BEGINNING`. */
  readonly eventId: string | null
  /** Its distance from the top edge in pixels, to restore a scroll position; null to highlight the event. */
  readonly top: number | null
}

export interface HistoryState {
  readonly status: 'loading' | 'ready' | 'failed'
  /** The error of the last load. */
  readonly error: unknown
  /** A gapless run of the space's events. */
  readonly events: readonly Event[]
  readonly hasOlder: boolean
  /** The acts of that time. If they reach less far back than the events, older events are hidden. */
  readonly acts: ActRun
  /** False while the run reaches to the newest event. Only then do new events extend it. */
  readonly hasNewer: boolean
  /** The number of events that arrived since the reader was last at the end. */
  readonly unseen: number
  readonly connection: Connection
  readonly destination: Destination
}

interface LoadedRun extends Pick<HistoryState, 'events' | 'hasOlder' | 'hasNewer' | 'acts'> {
  /** The cursor of the stream: the newest known event of the space. */
  readonly cursor: string | undefined
  /** Overrides the destination: an event, or null for the newest. */
  readonly redirectTo?: string | null
}

const INITIAL_STATE: HistoryState = {
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
 * The loaded part of a space's history: one run, which grows at both ends by scrolling, and a stream that extends it.
 * The stream is always open, to count events that arrive beyond the run.
 */
export class History {
  readonly state = new Cell<HistoryState>(INITIAL_STATE)
  #isAtEnd = true
  #jumpSerial = 0
  #loading = { older: false, newer: false }
  #lastPageAt = Number.NEGATIVE_INFINITY
  #stream = new AbortController()
  /** Whether newer acts are being read, and whether to read again afterwards. */
  #actsLoading: 'none' | 'reading' | 'again' = 'none'
  #isResting = false
  /** Shows the batched events. */
  #flush = () => {}
  /** The last destination: an event, or null for the newest. */
  #target: string | null = null
  /** The prefetched newest page. */
  #ahead: Promise<LoadedRun> | null = null
  /** The cursor of the stream. */
  #cursor: string | undefined

  constructor(
    private readonly source: HistorySource,
    /** Called with arriving events, in order. */
    private readonly onArrival: (events: readonly Event[]) => void = () => {},
  ) {}

  /** Whether the end of the run is in view. Then its start may be trimmed, and all its events count as seen. */
  get isAtEnd(): boolean {
    return this.#isAtEnd
  }

  set isAtEnd(isAtEnd: boolean) {
    this.#isAtEnd = isAtEnd
    const { hasNewer, unseen } = this.state.value
    if (isAtEnd && !hasNewer && unseen > 0) this.#patch({ unseen: 0 })
  }

  close(): void {
    this.#jumpSerial += 1
    this.#stream.abort()
  }

  /** Closes the stream while the tab is hidden. */
  rest(): void {
    this.#isResting = true
    // The next stream begins after the batched events.
    this.#flush()
    this.#stream.abort()
    this.#patch({ connection: 'connecting' })
  }

  /** Resumes the stream from its cursor. */
  wake(): void {
    if (!this.#isResting) return
    this.#isResting = false
    if (this.state.value.status === 'ready') void this.#follow(this.#cursor)
  }

  /** Prefetches the newest page before the destination is known. */
  readAhead(): void {
    this.#ahead = this.#newest()
    // `#go` reads again after a failure.
    this.#ahead.catch(() => {})
  }

  toNewest(): Promise<void> {
    return this.#jump(null, null, () => this.#takeAhead() ?? this.#newest())
  }

  /** Jumps to an event or the `BEGINNING`. */
  toEvent(eventId: string, top: number | null = null): Promise<void> {
    return this.#jump(eventId, top, () => this.#around(eventId))
  }

  /**
   * Jumps to the actor's first unread event after another one, or after the `BEGINNING`; without any, to the newest.
   */
  toUnread(after: string, actorId: string): Promise<void> {
    return this.#jump(after, BEFORE_UNREAD_PX, async () => {
      const place = await this.#around(after)
      const { events, hasOlder } = place
      const first = firstUnreadIn({ events, isAtStart: !hasOlder, unreadAfter: after, actorId })
      return first ? { ...place, redirectTo: first.event_id } : { ...(await this.#newest()), redirectTo: null }
    })
  }

  /** Retries the last jump. */
  tryAgain(): Promise<void> {
    return this.#target === null ? this.toNewest() : this.toEvent(this.#target)
  }

  /**
   * Jumps to the first event at a time or later, unless another jump started meanwhile. Returns false if there is none.
   */
  async toTime(time: string): Promise<boolean> {
    const journey = this.#jumpSerial
    const eventId = await this.source.firstFrom(time)
    if (eventId !== null && journey === this.#jumpSerial) await this.toEvent(eventId)
    return eventId !== null
  }

  async loadOlder(): Promise<void> {
    const { events, hasOlder, acts } = this.state.value
    const first = events[0]
    if ((!hasOlder && acts.from === null) || this.#loading.older) return
    await this.#extend('older', async (isHere) => {
      const limit = this.#nextPage()
      // If the acts reach less far back than the events, only acts are read.
      const isAhead = acts.from !== null && first !== undefined && first.timestamp < acts.from
      const page = hasOlder && first && !isAhead ? await this.source.before(first.event_id, limit) : null
      const reachesStart = page ? page.length < limit : !hasOlder
      const oldest = reachesStart ? '' : (page?.[0] ?? first)?.timestamp
      const isWanted = acts.from !== null && (oldest === undefined || oldest < acts.from)
      const older = isWanted ? await this.source.acts.before(acts.before, ACTS_PAGE) : null
      if (!isHere()) return
      this.#lastPageAt = performance.now()
      const now = this.state.value
      // The run was trimmed meanwhile: this page would leave a gap.
      if (now.events[0] !== first || now.acts.before !== acts.before) return
      this.#patch({
        ...(page && { events: [...page, ...now.events], hasOlder: !reachesStart }),
        ...(older && { acts: withOlder(now.acts, older) }),
      })
      this.#defer(() => this.#letGoOfEnd())
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
      this.#lastPageAt = performance.now()
      const { events, acts } = this.state.value
      if (events.at(-1) !== last) return
      this.#patch({
        events: [...events, ...page],
        hasNewer: !reached,
        acts: upTo === known ? acts : withNewer(acts, upTo.acts, upTo.to === null),
        ...(reached && { unseen: 0 }),
      })
      // Events since then were only counted. The stream delivers them again, now to extend the run.
      if (reached) void this.#follow(newest.event_id)
      this.#defer(() => this.#trimStart())
    })
  }

  async #jump(eventId: string | null, top: number | null, load: () => Promise<LoadedRun>): Promise<void> {
    this.#jumpSerial += 1
    this.#target = eventId
    const journey = this.#jumpSerial
    const isHere = () => journey === this.#jumpSerial
    this.#patch({ error: null, ...(this.state.value.status === 'failed' && { status: 'loading' as const }) })
    try {
      const { cursor, redirectTo = eventId, ...place } = await load()
      if (!isHere()) return
      this.#loading = { older: false, newer: false }
      this.isAtEnd = redirectTo === null
      this.#patch({ ...place, status: 'ready', unseen: 0, destination: { serial: journey, eventId: redirectTo, top } })
      void this.#follow(cursor)
    } catch (error) {
      if (isHere()) this.#patch({ status: 'failed', error })
    }
  }

  #takeAhead(): Promise<LoadedRun> | null {
    const ahead = this.#ahead
    this.#ahead = null
    return ahead
  }

  async #newest(): Promise<LoadedRun> {
    const [events, acts] = await Promise.all([this.source.tail(PAGE), this.source.acts.tail(ACTS_PAGE)])
    const cursor = events.at(-1)?.event_id
    return { events, hasOlder: events.length === PAGE, hasNewer: false, acts: newestActs(acts), cursor }
  }

  async #around(eventId: string): Promise<LoadedRun> {
    const ahead = await this.#takeAhead()?.catch(() => null)
    const known = ahead?.events.find(({ event_id }) => event_id === eventId)
    if (known && revisedId(known) !== undefined) return this.#aroundRevised(known)
    if (ahead && known) return ahead
    if (eventId === BEGINNING) return await this.#beginning()
    const [before, [event, around], since, [newest]] = await Promise.all([
      this.source.before(eventId, AROUND),
      this.source.get(eventId).then(async (event) => [event, await this.#actsAround(event.timestamp)] as const),
      this.source.since(eventId, AROUND),
      this.source.tail(1),
    ])
    if (revisedId(event) !== undefined) return this.#aroundRevised(event)
    const events = [...before, event, ...since]
    const hasNewer = since.length === AROUND
    const cursor = hasNewer ? newest?.event_id : events.at(-1)?.event_id
    const acts = await this.#actsUpTo(around, hasNewer ? (events.at(-1)?.timestamp ?? null) : null)
    return { events, hasOlder: before.length === AROUND, hasNewer, acts, cursor }
  }

  /** Reads around the event that another one corrects or retracts, as only that has a line. */
  async #aroundRevised(revision: Event): Promise<LoadedRun> {
    const eventId = revisedId(revision) ?? revision.event_id
    return { redirectTo: eventId, ...(await this.#around(eventId)) }
  }

  async #beginning(): Promise<LoadedRun> {
    const [events, [newest], page] = await Promise.all([
      this.source.since(BEGINNING, PAGE),
      this.source.tail(1),
      this.source.acts.since(0, ACTS_PAGE),
    ])
    const hasNewer = events.length === PAGE
    const cursor = hasNewer ? newest?.event_id : events.at(-1)?.event_id
    const run = withNewer(NO_ACTS, page, page.length < ACTS_PAGE)
    const acts = await this.#actsUpTo(run, hasNewer ? (events.at(-1)?.timestamp ?? null) : null)
    return { events, hasOlder: false, hasNewer, acts, cursor }
  }

  /** Reads the acts from a time on, and a page before it. */
  async #actsAround(time: string): Promise<ActRun> {
    const since = await this.source.acts.from(time, ACTS_PAGE)
    const first = since[0]
    if (!first) return newestActs(await this.source.acts.tail(ACTS_PAGE))
    return withOlder(actsFrom(since, time), await this.source.acts.before(first.position, ACTS_PAGE))
  }

  /** Extends a run of acts up to a time, or to the newest if null. */
  async #actsUpTo(run: ActRun, time: string | null): Promise<ActRun> {
    let reaching = run
    while (reaching.to !== null && (time === null || reaching.to < time)) {
      const page = await this.source.acts.since(reaching.after, LONG_PAGE)
      reaching = withNewer(reaching, page, page.length < LONG_PAGE)
    }
    return reaching
  }

  /** Reads newer acts if the run reaches to the newest. Concurrent calls are merged into one more read. */
  async #readActs(): Promise<void> {
    if (this.#actsLoading !== 'none') {
      this.#actsLoading = 'again'
      return
    }
    try {
      do {
        this.#actsLoading = 'reading'
        const journey = this.#jumpSerial
        const { after, to } = this.state.value.acts
        if (to !== null) return
        const page = await this.source.acts.since(after, LONG_PAGE)
        if (journey === this.#jumpSerial) this.#actsArrive(page)
        if (page.length === LONG_PAGE) this.#actsLoading = 'again'
      } while (this.#mustReadActsAgain())
    } catch {
      // The next act or connection triggers another read.
    } finally {
      this.#actsLoading = 'none'
    }
  }

  /** A method, as TypeScript would narrow the field across an `await`. */
  #mustReadActsAgain(): boolean {
    return this.#actsLoading === 'again'
  }

  #actsArrive(page: readonly SpaceAct[]): void {
    const { acts, hasNewer, unseen } = this.state.value
    const grown = withNewer(acts, page, true)
    const count = grown.acts.length - acts.acts.length
    if (count === 0) return
    this.#patch({ acts: grown, unseen: this.isAtEnd && !hasNewer ? 0 : unseen + count })
  }

  #nextPage(): number {
    return performance.now() - this.#lastPageAt < CONTINUOUS_SCROLL_MS ? LONG_PAGE : PAGE
  }

  /** Reads at one end, one request at a time. A failure changes nothing: the next scroll retries. */
  async #extend(end: 'older' | 'newer', read: (isHere: () => boolean) => Promise<void>): Promise<void> {
    const journey = this.#jumpSerial
    const loading = this.#loading
    loading[end] = true
    try {
      await read(() => journey === this.#jumpSerial)
    } catch {
      this.#patch({})
    } finally {
      loading[end] = false
    }
  }

  /** Opens the stream after a cursor, or from the beginning, and closes the previous one. */
  async #follow(cursor: string | undefined): Promise<void> {
    this.#stream.abort()
    this.#cursor = cursor
    if (this.#isResting) return
    const controller = new AbortController()
    this.#stream = controller
    const { signal } = controller
    const setConnection = (connection: Connection) => signal.aborted || this.#patch({ connection })
    const gathered: Event[] = []
    const flush = () => {
      const events = gathered.splice(0)
      // Only a jump voids batched events: its page has them, or its stream brings them again.
      if (this.#stream === controller && events.length > 0) this.#arrive(events)
    }
    this.#flush = flush
    const stream = this.source.stream({
      since: cursor,
      signal,
      onConnect: () => {
        setConnection('live')
        // Acts while disconnected were not announced.
        if (!signal.aborted) void this.#readActs()
      },
      onAct: () => {
        if (!signal.aborted) void this.#readActs()
      },
      onReconnect: () => setConnection('reconnecting'),
    })
    try {
      for await (const event of stream) {
        if (signal.aborted) return
        this.#cursor = event.event_id
        if (gathered.push(event) === 1) setTimeout(flush, BATCH_DELAY_MS)
      }
    } catch (error) {
      // Only the space or the cursor is gone: the credential is still valid.
      if (!signal.aborted) this.#patch({ status: 'failed', error })
    }
  }

  #arrive(arrived: readonly Event[]): void {
    const { events, hasNewer, unseen } = this.state.value
    const isTooLong = events.length + arrived.length > 2 * MAX_EVENTS && !this.isAtEnd
    if (hasNewer || isTooLong) this.#patch({ hasNewer: true, unseen: unseen + arrived.length })
    else {
      this.#patch({ events: [...events, ...arrived], unseen: this.isAtEnd ? 0 : unseen + arrived.length })
      if (this.isAtEnd) this.#defer(() => this.#trimStart())
    }
    this.onArrival(arrived)
  }

  #trimStart(): void {
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

  /** Defers a change: a list that changes at both ends in one step cannot keep its scroll position. */
  #defer(step: () => void): void {
    const journey = this.#jumpSerial
    setTimeout(() => journey === this.#jumpSerial && step(), 100)
  }

  #patch(change: Partial<HistoryState>): void {
    this.state.set({ ...this.state.value, ...change })
  }
}
