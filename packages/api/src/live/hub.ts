import type { Bus, Committed, EventReader, LogEntry } from '@collab-spaces/db'
import type { Scope } from '@collab-spaces/domain'

/** Events of one space in the order of its log, without a gap, ready to be sent to any number of readers. */
export class Batch {
  #frames: Buffer | null = null

  constructor(readonly entries: readonly LogEntry[]) {}

  get last(): number {
    return (this.entries.at(-1) as LogEntry).position
  }

  /** The events as Server-Sent Events. Framed once, however many sockets the buffer is written to. */
  get frames(): Buffer {
    this.#frames ??= Buffer.from(this.entries.map(frame).join(''))
    return this.#frames
  }
}

const frame = ({ eventId, wire }: LogEntry) => `event: context_event\ndata: ${wire}\nid: ${eventId}\n\n`

/** What a tail keeps of the newest events, and what a reader is given at once. In characters of JSON. */
const TAIL_SIZE = 1024 * 1024
const BATCH_SIZE = 256 * 1024
const READ_ENTRIES = 100
/** How late a reader is at worst when no notification comes through. */
const POLL_EVERY_MS = 1_000

/** What is read of a log: so much of the database, and no more. */
export type Log = Pick<EventReader, 'head' | 'heads' | 'entries'>

/** Somebody who is given the events of a space in their order. */
export interface Reader {
  /** Takes the next events. False when no more can be taken until `goOn` is called. */
  take(batch: Batch): boolean
  /** There will be no more, as the hub is closed. */
  end(): void
  /** There will be no more, as the log cannot be read. */
  fail(error: unknown): void
}

/**
 * Fan-out. One tail per space that somebody reads holds the newest events, fed by commits of this process
 * directly and by other instances through hints. Readers pull: each goes on from its own position, from the tail
 * when that reaches back far enough and from the log otherwise. Nothing is queued for a reader, so one that is
 * slow costs no memory, and replay joins the live tail at a position, so nothing is missed or repeated.
 */
export class Hub {
  readonly #tails = new Map<string, Tail>()
  #poll: NodeJS.Timeout | null = null
  #closed = false

  constructor(
    private readonly log: Log,
    private readonly bus: Bus,
    private readonly onFault: (error: unknown) => void,
  ) {
    bus.subscribe((hint) => {
      if (hint.kind === 'head') this.#tails.get(keyOf(hint))?.heardOf(hint.head)
      if (hint.kind === 'resumed') void this.#lookAtHeads()
    })
  }

  /** The one place that publishes events, and only after their commit. */
  publish(committed: readonly Committed[]): void {
    const heads = new Map<string, Committed>()
    for (const event of committed) {
      const key = keyOf(event)
      this.#tails.get(key)?.add(event)
      heads.set(key, event)
    }
    for (const { scope, spaceId, position } of heads.values()) {
      this.bus.publish({ kind: 'head', scope, spaceId, head: position })
    }
  }

  /** Gives a reader the events of a space after a position, then those to come, until the reading is stopped. */
  read(scope: Scope, spaceId: string, after: number, reader: Reader): Reading {
    const reading = new Reading(this.#tailOf(scope, spaceId), after, reader)
    if (this.#closed) reading.end()
    else reading.advance()
    return reading
  }

  /** Ends all readings, and those to come. */
  close(): void {
    this.#closed = true
    for (const tail of this.#tails.values()) tail.end()
  }

  #tailOf(scope: Scope, spaceId: string): Tail {
    const key = keyOf({ scope, spaceId })
    let tail = this.#tails.get(key)
    if (!tail) {
      tail = new Tail(scope, spaceId, this.log, this.onFault, () => this.#drop(key))
      this.#tails.set(key, tail)
    }
    this.#poll ??= setInterval(() => void this.#lookAtHeads(), POLL_EVERY_MS).unref()
    return tail
  }

  #drop(key: string): void {
    this.#tails.delete(key)
    if (this.#tails.size === 0 && this.#poll) {
      clearInterval(this.#poll)
      this.#poll = null
    }
  }

  /** The log is the truth: whatever became of the hints, one query tells which spaces have grown. */
  async #lookAtHeads(): Promise<void> {
    try {
      for (const found of await this.log.heads([...this.#tails.values()])) {
        this.#tails.get(keyOf(found))?.heardOf(found.head)
      }
    } catch (error) {
      this.onFault(error)
    }
  }
}

const keyOf = ({ scope, spaceId }: { readonly scope: Scope; readonly spaceId: string }) => `${scope}/${spaceId}`

/**
 * A reader's place in a space. While there is nothing for the reader it is this object and no more: no promise waits
 * and no timer runs, however many thousands there are.
 */
export class Reading {
  #state: 'waiting' | 'asking the log' | 'full' | 'over' = 'waiting'

  constructor(
    private readonly tail: Tail,
    private position: number,
    private readonly reader: Reader,
  ) {
    tail.enter(this)
  }

  /** Gives the reader what there is after its position, until that is all or it can take no more. */
  advance(): void {
    while (this.#state === 'waiting') {
      const next = this.tail.after(this.position)
      if (next === null) return
      if (next === 'in the log') void this.#askLog()
      else this.#give(next)
    }
  }

  /** The reader can take more. */
  goOn(): void {
    if (this.#state !== 'full') return
    this.#state = 'waiting'
    this.advance()
  }

  /** The reader wants no more. */
  stop(): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.tail.leave(this)
  }

  end(): void {
    if (this.#state === 'over') return
    this.stop()
    this.reader.end()
  }

  #give(batch: Batch): void {
    this.position = batch.last
    const more = this.reader.take(batch)
    if (!more && this.#state === 'waiting') this.#state = 'full'
  }

  async #askLog(): Promise<void> {
    this.#state = 'asking the log'
    try {
      const batch = await this.tail.readLog(this.position)
      if (this.#isOver()) return
      this.#state = 'waiting'
      if (batch) this.#give(batch)
    } catch (error) {
      if (this.#isOver()) return
      this.stop()
      this.reader.fail(error)
    }
    this.advance()
  }

  /** Asked anew after each wait: the reader may have stopped meanwhile. */
  #isOver(): boolean {
    return this.#state === 'over'
  }
}

/** The newest events of one space, a run without a gap, and those who read it. */
class Tail {
  readonly #readings = new Set<Reading>()
  /** The run ends at this position; null until it is known where the log stands. */
  #end: number | null = null
  #entries: LogEntry[] = []
  #size = 0
  /** The highest position known to be committed. It may be ahead of the run. */
  #known = 0
  #catchingUp = false
  #latest: { readonly after: number; readonly end: number; readonly batch: Batch } | null = null
  #waking = false

  constructor(
    readonly scope: Scope,
    readonly spaceId: string,
    private readonly log: Log,
    private readonly onFault: (error: unknown) => void,
    private readonly onEmpty: () => void,
  ) {}

  enter(reading: Reading): void {
    this.#readings.add(reading)
  }

  leave(reading: Reading): void {
    this.#readings.delete(reading)
    if (this.#readings.size === 0) this.onEmpty()
  }

  end(): void {
    for (const reading of this.#readings) reading.end()
  }

  /** An event that this process committed. What other instances committed before it may not be here yet. */
  add(entry: LogEntry): void {
    this.#known = Math.max(this.#known, entry.position)
    if (this.#end === null || entry.position === this.#end + 1) {
      this.#push(entry)
      this.#wake()
    } else if (entry.position > this.#end) {
      void this.#catchUp()
    }
  }

  /** Another instance committed up to this position: fetch it once for all readers. */
  heardOf(head: number): void {
    this.#known = Math.max(this.#known, head)
    // Where to begin is unknown: the run starts here, and the readers get what lies before from the log.
    if (this.#end === null) {
      this.#end = head
      this.#wake()
    }
    void this.#catchUp()
  }

  /** The events right after a position: the tail may still have them, or not have them yet (null). */
  after(position: number): Batch | 'in the log' | null {
    const end = this.#end
    if (end === null) return 'in the log'
    if (position >= end) return null
    const index = position - (end - this.#entries.length)
    if (index < 0) return 'in the log'
    // Readers at the same position are given the same buffer.
    if (this.#latest?.after === position && this.#latest.end === end) return this.#latest.batch
    const batch = batchOf(this.#entries.slice(index))
    this.#latest = { after: position, end, batch }
    return batch
  }

  /** Events after a position as the log has them; null when it has none. */
  async readLog(position: number): Promise<Batch | null> {
    const known = this.#known
    const entries = await this.log.entries(this.scope, this.spaceId, position, READ_ENTRIES)
    if (entries.length > 0) return batchOf(entries)
    if (known > position) this.#forget()
    // Now it is known where the log stands, and nobody has to ask again.
    this.#end ??= position
    this.#known = Math.max(this.#known, this.#end)
    return null
  }

  async #catchUp(): Promise<void> {
    if (this.#catchingUp) return
    this.#catchingUp = true
    try {
      while (this.#end !== null && this.#end < this.#known) {
        const known = this.#known
        const entries = await this.log.entries(this.scope, this.spaceId, this.#end, READ_ENTRIES)
        for (const entry of entries) {
          if (entry.position === this.#end + 1) this.#push(entry)
        }
        if (entries.length === 0 && this.#known === known) this.#forget()
        this.#wake()
      }
    } catch (error) {
      // The next hint, or the next look at the heads, tries again.
      this.onFault(error)
    } finally {
      this.#catchingUp = false
    }
  }

  /** The log has less than we were told, as after a restore from a backup: believe it, rather than ask for ever. */
  #forget(): void {
    this.#known = 0
    this.#end = null
    this.#entries = []
    this.#size = 0
    this.#latest = null
  }

  #push(entry: LogEntry): void {
    this.#end = entry.position
    this.#entries.push(entry)
    this.#size += entry.wire.length
    let dropped = 0
    while (this.#size > TAIL_SIZE && dropped < this.#entries.length - 1) {
      this.#size -= (this.#entries[dropped] as LogEntry).wire.length
      dropped++
    }
    if (dropped > 0) this.#entries.splice(0, dropped)
  }

  /** Once per turn of the event loop, so that events of one moment reach a reader in one write. */
  #wake(): void {
    if (this.#waking) return
    this.#waking = true
    setImmediate(() => {
      this.#waking = false
      for (const reading of this.#readings) reading.advance()
    })
  }
}

function batchOf(entries: readonly LogEntry[]): Batch {
  let size = 0
  const end = entries.findIndex(({ wire }, index) => {
    size += wire.length
    return index > 0 && size > BATCH_SIZE
  })
  return new Batch(end === -1 ? entries : entries.slice(0, end))
}
