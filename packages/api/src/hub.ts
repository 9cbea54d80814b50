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

/**
 * Fan-out. One tail per space that somebody reads holds the newest events, fed by commits of this process
 * directly and by other instances through hints. Readers pull: each goes on from its own position, from the tail
 * when that reaches back far enough and from the log otherwise. Nothing is queued for a reader, so one that is
 * slow costs no memory, and replay joins the live tail at a position, so nothing is missed or repeated.
 */
export class Hub {
  readonly #tails = new Map<string, Tail>()
  #poll: NodeJS.Timeout | null = null
  readonly #closed = new AbortController()

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

  /** The events of a space after a position, then those to come, until the signal. */
  async *read(scope: Scope, spaceId: string, after: number, signal: AbortSignal): AsyncGenerator<Batch> {
    const tail = this.#enter(scope, spaceId)
    try {
      let position = after
      while (!signal.aborted) {
        const batch = tail.batchAfter(position) ?? (await tail.batchFromLog(position))
        if (batch) {
          yield batch
          position = batch.last
        } else {
          await tail.grown(position, signal)
        }
      }
    } finally {
      this.#leave(scope, spaceId, tail)
    }
  }

  /** Fires when the hub is closed: whoever reads has to end. */
  get closed(): AbortSignal {
    return this.#closed.signal
  }

  close(): void {
    this.#closed.abort()
  }

  #enter(scope: Scope, spaceId: string): Tail {
    const key = keyOf({ scope, spaceId })
    let tail = this.#tails.get(key)
    if (!tail) {
      tail = new Tail(scope, spaceId, this.log, this.onFault)
      this.#tails.set(key, tail)
    }
    tail.readers++
    this.#poll ??= setInterval(() => void this.#lookAtHeads(), POLL_EVERY_MS).unref()
    return tail
  }

  #leave(scope: Scope, spaceId: string, tail: Tail): void {
    tail.readers--
    if (tail.readers === 0) this.#tails.delete(keyOf({ scope, spaceId }))
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

/** The newest events of one space, a run without a gap, and the readers that wait for more. */
class Tail {
  readers = 0
  /** The run ends at this position; null until the first event or hint tells where the log stands. */
  #end: number | null = null
  #entries: LogEntry[] = []
  #size = 0
  /** The highest position known to be committed. It may be ahead of the run. */
  #known = 0
  #catchingUp = false
  #latest: { readonly after: number; readonly end: number; readonly batch: Batch } | null = null
  readonly #sleepers = new Set<() => void>()
  #waking = false

  constructor(
    readonly scope: Scope,
    readonly spaceId: string,
    private readonly log: Log,
    private readonly onFault: (error: unknown) => void,
  ) {}

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
    if (head <= this.#known) return
    this.#known = head
    // Where to begin is unknown: the run starts here, and the readers get what lies before from the log.
    this.#end ??= head
    void this.#catchUp()
  }

  /** Events right after a position, if the tail still has them. */
  batchAfter(position: number): Batch | null {
    const end = this.#end
    if (end === null || position >= end) return null
    const index = position - (end - this.#entries.length)
    if (index < 0) return null
    // Readers at the same position are given the same buffer.
    if (this.#latest?.after === position && this.#latest.end === end) return this.#latest.batch
    const batch = batchOf(this.#entries.slice(index))
    this.#latest = { after: position, end, batch }
    return batch
  }

  async batchFromLog(position: number): Promise<Batch | null> {
    const known = this.#known
    const entries = await this.log.entries(this.scope, this.spaceId, position, READ_ENTRIES)
    if (entries.length > 0) return batchOf(entries)
    if (known > position) this.#forget()
    return null
  }

  /** Resolves when there may be something after this position, or at the signal. */
  grown(position: number, signal: AbortSignal): Promise<void> {
    if (this.#known > position || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake)
        this.#sleepers.delete(wake)
        resolve()
      }
      signal.addEventListener('abort', wake, { once: true })
      this.#sleepers.add(wake)
    })
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
      }
    } catch (error) {
      this.onFault(error)
    } finally {
      this.#catchingUp = false
      this.#wake()
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
    if (this.#waking || this.#sleepers.size === 0) return
    this.#waking = true
    setImmediate(() => {
      this.#waking = false
      for (const wake of [...this.#sleepers]) wake()
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
