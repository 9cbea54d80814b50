import type { EventReader, LogEntry } from '@collab-spaces/db'
import type { DomainError, ReadableSpace } from '@collab-spaces/domain'
import { BATCH_SIZE, Batch, batchOf } from './batch.js'
import type { Scheduler, Task } from './scheduler.js'
import type { Source, Subscription } from './subscription.js'
import type { Evictable, TailBudget } from './tail-budget.js'

/** The most that a tail keeps of the newest events, in characters. */
const TAIL_SIZE = 1024 * 1024
/** The size of an event besides its JSON, its id and the objects around them, in characters. */
const ENTRY_OVERHEAD = 200
const sizeOf = ({ wire }: LogEntry) => wire.length + ENTRY_OVERHEAD

/** About as many of the usual length as make a batch. */
const READ_ENTRIES = 400
/** How many subscriptions are advanced in a step of a round. */
const ADVANCED_AT_ONCE = 16

/** A read of the log: so much of the database, and no more. */
export type LogReader = Pick<EventReader, 'heads' | 'entries'>

/** The newest events of one space, a run without a gap, and those who are subscribed to it. */
export class Tail implements Source, Task, Evictable {
  readonly #subscriptions = new Set<Subscription>()
  /** The run ends at this position; null until it is known where the log stands. */
  #end: number | null = null
  #entries: LogEntry[] = []
  #size = 0
  /** The highest position known to be committed. It may be ahead of the run. */
  #known = 0
  #catchingUp = false
  /** Reads of the log for subscriptions that are under way, by the position after which it is read. */
  readonly #reads = new Map<number, Promise<Batch | null>>()
  /** As the database had it last; null until it was asked. */
  #redactions: number | null = null
  /** How often something was erased. */
  #erasures = 0
  #latest: { readonly after: number; readonly end: number; readonly batch: Batch } | null = null
  /** The subscriptions that are still to be told of what is new, the oldest first; null between rounds. */
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

  /** An event that this process committed. Earlier events of other instances may not be here yet. */
  add(entry: LogEntry): void {
    this.#known = Math.max(this.#known, entry.position)
    if (this.#end === null || entry.position === this.#end + 1) {
      this.#push(entry)
      this.#wake()
    } else if (entry.position > this.#end) {
      void this.#catchUp()
    }
  }

  /** Another instance committed up to this position: fetch it once for all subscribers. */
  heardOf(head: number): void {
    this.#known = Math.max(this.#known, head)
    // The beginning is unknown: the run starts here, and subscribers get what lies before from the log.
    if (this.#end === null) {
      this.#end = head
      this.#wake()
    }
    void this.#catchUp()
  }

  /** The space in the database: it may have grown, and other events of it may have been redacted. */
  isAt({ head, redactions }: { readonly head: number; readonly redactions: number }): void {
    if (redactions !== this.#redactions) this.erased()
    this.#redactions = redactions
    this.heardOf(head)
  }

  /** Nothing that was read before may be given to anybody any more, nor what is being read. */
  erased(): void {
    this.#erasures++
    this.#clear()
  }

  /** Something was done about a decision, or about the space itself (null). */
  acted(decisionId: string | null): void {
    const signal = { kind: 'act', space_id: this.space.spaceId, decision_id: decisionId } as const
    for (const subscription of this.#subscriptions) subscription.tell(signal)
  }

  /** The events right after a position: the tail may still have them, or not have them yet (null). */
  after(position: number): Batch | 'in the log' | null {
    const end = this.#end
    if (end === null) return 'in the log'
    if (position >= end) return null
    const index = position - (end - this.#entries.length)
    if (index < 0) return 'in the log'
    // Subscribers at the same position are given the same buffer.
    if (this.#latest?.after === position && this.#latest.end === end) return this.#latest.batch
    const batch = batchOf(this.#entries.slice(index))
    this.#latest = { after: position, end, batch }
    return batch
  }

  /** Events after a position as the log has them; null when it has none. Read once for all who ask at the same time. */
  readLog(position: number): Promise<Batch | null> {
    const shared = this.#reads.get(position)
    if (shared) return shared
    const reading = this.#readOnce(position).finally(() => this.#reads.delete(position))
    this.#reads.set(position, reading)
    return reading
  }

  async #readOnce(position: number): Promise<Batch | null> {
    const known = this.#known
    const entries = await this.#read(position)
    if (entries.length > 0) return new Batch(entries)
    if (known > position) this.#forget()
    // Now it is known where the log stands, and nobody has to ask again.
    this.#end ??= position
    this.#known = Math.max(this.#known, this.#end)
    return null
  }

  /** A batch at most, however long its events are. Read again if something was erased meanwhile. */
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
        const entries = await this.#read(this.#end)
        // Everybody has left meanwhile.
        if (this.#subscriptions.size === 0) return
        for (const entry of entries) {
          if (entry.position === this.#end + 1) this.#push(entry)
        }
        if (entries.length === 0 && this.#known === known) this.#forget()
        this.#wake()
      }
    } catch (error) {
      // The next signal, or the next look at the heads, tries again.
      this.onFault(error)
    } finally {
      this.#catchingUp = false
    }
  }

  /** The log has less than we were told, as after a restore from a backup: believe it, rather than ask for ever. */
  #forget(): void {
    this.#known = 0
    this.#end = null
    this.#clear()
  }

  /** Keeps its place in the log, from which subscribers that are behind are served from now on. */
  evict(): void {
    this.#entries = []
    this.#size = 0
    this.#latest = null
  }

  #clear(): void {
    this.evict()
    this.budget.release(this)
  }

  #push(entry: LogEntry): void {
    this.#end = entry.position
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

  /** Begins a round at the end of this turn, so that events of one moment reach a subscriber in one write. */
  #wake(): void {
    this.#grown = true
    this.scheduler.add(this)
  }

  /**
   * Advances the next few subscriptions to where the tail ends by now. Events that come while a round is under way are
   * given to those it has not reached yet, and to the others by the next one: the longer a round takes, the more there
   * is in a write, and nobody waits for more than one round.
   */
  step(): boolean {
    this.#round ??= this.#nextRound()
    for (let n = 0; n < ADVANCED_AT_ONCE && this.#round; n++) {
      const { value, done } = this.#round.next()
      if (done) this.#round = null
      else value.advance()
    }
    if (this.#round || this.#grown) return true
    // Everybody has it: what comes next has frames of its own.
    this.#latest = null
    return false
  }

  #nextRound(): Iterator<Subscription> | null {
    if (!this.#grown) return null
    this.#grown = false
    return this.#subscriptions.values()
  }
}
