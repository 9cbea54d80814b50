import type { EventReader, LogEntry } from '@collab-spaces/db'
import { type DomainError, lostEvents, type ReadableSpace } from '@collab-spaces/domain'
import { BATCH_SIZE, Batch, batchOf } from './batch.js'
import type { Scheduler, Task } from './scheduler.js'
import type { Source, Subscription } from './subscription.js'
import type { Evictable, TailBudget } from './tail-budget.js'

/** The maximum size of a tail, in characters. */
const TAIL_SIZE = 1024 * 1024
/** The size of an event besides its JSON, its id and the objects around them, in characters. */
const ENTRY_OVERHEAD = 200
const sizeOf = ({ wire }: LogEntry) => wire.length + ENTRY_OVERHEAD

/** The number of entries of average length in a batch. */
const READ_ENTRIES = 400
/** The number of subscriptions that one step advances. */
const ADVANCED_AT_ONCE = 16

/** The reads of the log that a tail needs. */
export type LogReader = Pick<EventReader, 'heads' | 'entries'>

/** The newest events of one space without a gap, and its subscriptions. */
export class Tail implements Source, Task, Evictable {
  readonly #subscriptions = new Set<Subscription>()
  /** The position of the last entry; null until the head of the log is known. */
  #end: number | null = null
  #entries: LogEntry[] = []
  #size = 0
  /** The highest position known to be committed. It may be ahead of the entries. */
  #known = 0
  #catchingUp = false
  /** The newest entry that a subscription may have. */
  #newest: Pick<LogEntry, 'position' | 'eventId'> | null = null
  /** How often the log may have lost that entry, as the database may have failed over, and after how many it proved not to. */
  #doubts = 0
  #settled = 0
  /** The reads of the log in flight, by the position after which they read. */
  readonly #reads = new Map<number, Promise<Batch | null>>()
  /** The number of redactions as last read; null before the first read. */
  #redactions: number | null = null
  /** The number of invalidations. */
  #erasures = 0
  #latest: { readonly after: number; readonly end: number; readonly batch: Batch } | null = null
  /** The subscriptions that the current round has not advanced yet; null between rounds. */
  #round: Iterator<Subscription> | null = null
  #grown = false

  constructor(
    readonly space: ReadableSpace,
    private readonly log: LogReader,
    private readonly scheduler: Scheduler,
    private readonly budget: TailBudget,
    private readonly onFault: (error: unknown) => void,
    private readonly onEmpty: () => void,
  ) {}

  enter(subscription: Subscription): void {
    this.#subscriptions.add(subscription)
  }

  leave(subscription: Subscription): void {
    this.#subscriptions.delete(subscription)
    if (this.#subscriptions.size > 0) return
    this.#clear()
    this.onEmpty()
  }

  end(reason: DomainError): void {
    for (const subscription of this.#subscriptions) subscription.end(reason)
  }

  /** Adds an event that this process committed. Earlier events of other instances may be missing. */
  add(entry: LogEntry): void {
    this.#known = Math.max(this.#known, entry.position)
    if (this.#isInDoubt) {
      void this.#catchUp()
    } else if (this.#end === null || entry.position === this.#end + 1) {
      this.#push(entry)
      this.#wake()
    } else if (entry.position > this.#end) {
      void this.#catchUp()
    }
  }

  /** Fetches the events that another instance committed up to this position, once for all subscribers. */
  onHead(head: number): void {
    this.#known = Math.max(this.#known, head)
    // Subscribers read earlier events from the log.
    if (this.#end === null) {
      this.#end = head
      this.#wake()
    }
    void this.#catchUp()
  }

  /** Compares the tail with the space as just read: it may have grown, and events may have been redacted. */
  onState({ head, redactions }: { readonly head: number; readonly redactions: number }): void {
    if (redactions !== this.#redactions) this.invalidate()
    this.#redactions = redactions
    this.onHead(head)
  }

  /** Discards all that was read before, including reads in flight. */
  invalidate(): void {
    this.#erasures++
    this.#clear()
  }

  /** Reads nothing more until the log has proved to contain the newest entry. */
  doubt(): void {
    this.#doubts++
  }

  get #isInDoubt(): boolean {
    return this.#doubts > this.#settled
  }

  /** Call when the database is back. */
  async settle(): Promise<void> {
    const doubts = this.#doubts
    try {
      if (await this.#isIntact()) this.#settled = doubts
    } catch (error) {
      // It remains in doubt: each read checks the log again.
      this.onFault(error)
    }
  }

  /**
   * Returns whether the log contains the newest entry; otherwise ends all subscriptions. A commit that waits for a standby
   * becomes visible when its primary is killed, and a failover then loses it. Another event takes its position, which
   * readers of the lost event would miss.
   */
  async #isIntact(): Promise<boolean> {
    const newest = this.#newest
    if (newest === null) return true
    const [entry] = await this.log.entries(this.space, newest.position - 1, 1, BATCH_SIZE)
    if (entry?.eventId === newest.eventId) return true
    this.end(lostEvents())
    return false
  }

  /** Signals an act about a decision, or about the space itself (null). */
  onAct(decisionId: string | null): void {
    const signal = { kind: 'act', space_id: this.space.spaceId, decision_id: decisionId } as const
    for (const subscription of this.#subscriptions) subscription.send(signal)
  }

  /** Signals a change of the reactions to an event, or to any (null). */
  onReaction(eventId: string | null): void {
    const signal = { kind: 'reaction', space_id: this.space.spaceId, event_id: eventId } as const
    for (const subscription of this.#subscriptions) subscription.send(signal)
  }

  /** Returns the events right after a position; null if there are none yet. */
  after(position: number): Batch | 'in the log' | null {
    const end = this.#end
    if (end === null) return 'in the log'
    if (position >= end) return null
    const index = position - (end - this.#entries.length)
    if (index < 0) return 'in the log'
    // Subscribers at the same position share a buffer.
    if (this.#latest?.after === position && this.#latest.end === end) return this.#latest.batch
    const batch = batchOf(this.#entries.slice(index))
    this.#latest = { after: position, end, batch }
    return batch
  }

  /** Reads the events after a position from the log; null if there are none. Concurrent calls share a read. */
  readLog(position: number): Promise<Batch | null> {
    const shared = this.#reads.get(position)
    if (shared) return shared
    const reading = this.#readOnce(position).finally(() => this.#reads.delete(position))
    this.#reads.set(position, reading)
    return reading
  }

  async #readOnce(position: number): Promise<Batch | null> {
    const known = this.#known
    if (this.#isInDoubt && !(await this.#isIntact())) return null
    const entries = await this.#read(position)
    this.#note(entries.at(-1))
    if (entries.length > 0) return new Batch(entries)
    if (known > position) this.#forget()
    // The head is known now, so that no subscriber has to read again.
    this.#end ??= position
    this.#known = Math.max(this.#known, this.#end)
    return null
  }

  /** Reads up to a batch. Repeats the read if it was invalidated meanwhile. */
  async #read(after: number): Promise<LogEntry[]> {
    for (;;) {
      const erasures = this.#erasures
      const entries = await this.log.entries(this.space, after, READ_ENTRIES, BATCH_SIZE)
      if (erasures === this.#erasures) return entries
    }
  }

  async #catchUp(): Promise<void> {
    if (this.#catchingUp) return
    this.#catchingUp = true
    try {
      while (this.#end !== null && this.#end < this.#known) {
        const known = this.#known
        if (this.#isInDoubt && !(await this.#isIntact())) return
        const entries = await this.#read(this.#end)
        // All subscribers have left meanwhile.
        if (this.#subscriptions.size === 0) return
        for (const entry of entries) {
          if (entry.position === this.#end + 1) this.#push(entry)
        }
        if (entries.length === 0 && this.#known === known) this.#forget()
        this.#wake()
      }
    } catch (error) {
      // The next signal or poll retries.
      this.onFault(error)
    } finally {
      this.#catchingUp = false
    }
  }

  /** Trusts the log if it is shorter than announced, as after a restore from a backup, instead of retrying forever. */
  #forget(): void {
    this.#known = 0
    this.#end = null
    this.#clear()
  }

  /** Releases the entries. Subscribers that are behind read from the log. */
  evict(): void {
    this.#entries = []
    this.#size = 0
    this.#latest = null
  }

  #clear(): void {
    this.evict()
    this.budget.release(this)
  }

  #note(entry: LogEntry | undefined): void {
    if (!entry || entry.position <= (this.#newest?.position ?? 0)) return
    const { position, eventId } = entry
    this.#newest = { position, eventId }
  }

  #push(entry: LogEntry): void {
    this.#end = entry.position
    this.#note(entry)
    this.#entries.push(entry)
    this.#size += sizeOf(entry)
    let dropped = 0
    while (this.#size > TAIL_SIZE && dropped < this.#entries.length - 1) {
      this.#size -= sizeOf(this.#entries[dropped] as LogEntry)
      dropped++
    }
    if (dropped > 0) this.#entries.splice(0, dropped)
    this.budget.grow(this, this.#size)
  }

  /** Starts a round at the end of this turn, so that concurrent events reach a subscriber in one write. */
  #wake(): void {
    this.#grown = true
    this.scheduler.add(this)
  }

  /**
   * Advances the next few subscriptions to the current end of the tail. Events that arrive during a round are delivered to
   * the subscriptions it has not reached yet, and to the rest by the next round: the longer a round takes, the more a write
   * carries, and no subscriber waits longer than one round.
   */
  step(): boolean {
    this.#round ??= this.#nextRound()
    for (let n = 0; n < ADVANCED_AT_ONCE && this.#round; n++) {
      const { value, done } = this.#round.next()
      if (done) this.#round = null
      else value.advance()
    }
    if (this.#round || this.#grown) return true
    // All subscribers have it; later events get their own buffer.
    this.#latest = null
    return false
  }

  #nextRound(): Iterator<Subscription> | null {
    if (!this.#grown) return null
    this.#grown = false
    return this.#subscriptions.values()
  }
}
