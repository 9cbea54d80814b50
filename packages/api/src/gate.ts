import { type Capacity, PAGES_PER_STATEMENT, type Turn } from '@collab-spaces/db'
import { FairLimiter, type LimiterOptions, type LimiterUse, type Slot, type SlotRequest } from '@collab-spaces/fair'

/** The cost class of an operation, declared in its `meta`. */
export type Cost =
  /** Reads a few rows. */
  | 'row'
  /** Changes rows, and may wait for their locks. */
  | 'change'
  /** Reads a piece of a history. */
  | 'page'
  /** Takes long in the database. */
  | 'heavy'
  /** Writes a short event, which shares its commit with concurrent ones. */
  | 'write'
  /** Writes many events, or one with a long text. */
  | 'bulk'
  /** A long poll: reads repeatedly, and rests in between. */
  | 'wait'
  /** Opens a stream. */
  | 'stream'
  /** Receives a file, however slowly; each of its chunks waits for a turn of its own. */
  | 'upload'

/** Other work that takes a slot. */
type Kind =
  | Cost
  /** Reads for streams that are behind. */
  | 'replay'
  /** Writes or reads a chunk of a file: who sends or reads more bytes takes more turns. */
  | 'chunk'
  /** Gathers a chunk of an upload in memory. */
  | 'buffer'
  /** A response that has to be values in memory. */
  | 'values'
  /** A request to another server, which may take arbitrarily long. */
  | 'elsewhere'

/** The time for one chunk on a fast network, and for its turn. */
const BUFFER_TIMEOUT_MS = 250

/**
 * The only place where work waits for its turn. Each kind has its slots. Tenants take turns for them, within a tenant its
 * humans with their agents, and within those their credentials.
 */
export class Gate {
  readonly #limiters: Readonly<Record<Kind, FairLimiter>>

  constructor(capacity: Capacity) {
    const options = slotsOf(capacity)
    this.#limiters = Object.fromEntries(
      Object.entries(options).map(([kind, each]) => [kind, new FairLimiter(each)]),
    ) as Record<Kind, FairLimiter>
  }

  /** Runs work while it holds a slot. Rejects at the timeout, or when the client has disconnected. */
  run<T>(kind: Kind, request: SlotRequest, work: (slot: Slot) => Promise<T>): Promise<T> {
    return this.#limiters[kind].run(request, work)
  }

  /** Returns what runs the work for each chunk of a transfer. */
  turnsOf(request: SlotRequest): Turn {
    return (work) => this.run('chunk', request, work)
  }

  /**
   * Resolves when an upload may gather a chunk, to a function that lets the next one. After a timeout the next one may
   * anyway, so that slow senders keep no others waiting.
   */
  holdBuffer(request: SlotRequest): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const hold = () =>
        new Promise<void>((end) => {
          const overdue = setTimeout(end, BUFFER_TIMEOUT_MS)
          resolve(() => {
            clearTimeout(overdue)
            end()
          })
        })
      this.run('buffer', request, hold).catch(reject)
    })
  }

  /** Returns the use of the slots of each kind. */
  use(): (readonly [Kind, LimiterUse])[] {
    return Object.entries(this.#limiters).map(([kind, limiter]) => [kind as Kind, limiter.use])
  }
}

/**
 * Divides the connections. Changes and appends, which can hold one as long as a row is locked, have together fewer slots
 * than `requests` has connections, so that short reads find one. Searches and batches may take all of `long`: background
 * scans can wait.
 */
function slotsOf({ requests, pages, long, turnMs, longTurnMs }: Capacity): Record<Kind, LimiterOptions> {
  const part = (ninths: number) => Math.max(1, Math.floor((requests.connections * ninths) / 9))
  const { isStale } = requests
  return {
    row: { width: part(5), maxWaitMs: turnMs, isStale },
    change: { width: part(4), maxPerHuman: part(2), maxWaitMs: turnMs, isStale },
    // Concurrent pages share statements.
    page: {
      width: pages.connections * PAGES_PER_STATEMENT,
      ignoresAddresses: true,
      maxWaitMs: longTurnMs,
      isStale: pages.isStale,
    },
    heavy: {
      // The rest is for batches and background scans.
      width: Math.max(1, long.connections - 3),
      maxPerHuman: 2,
      maxWaitMs: longTurnMs,
      yieldAfterMs: 1_000,
      isStale: long.isStale,
    },
    // The slot ends before the log. Lookups until then, such as of attributed speakers, share connections.
    write: { width: part(4), ignoresAddresses: true, maxWaitMs: turnMs, isStale },
    // The names of a large space take 10 MB while a text is compared with them.
    bulk: { width: 3, maxPerHuman: 2, maxWaitMs: longTurnMs, isStale },
    // An event may wake thousands.
    wait: { width: part(4), maxPerHuman: 2, maxWaitMs: 30_000 },
    stream: { width: 64, maxWaitMs: longTurnMs, isStale },
    upload: { width: 64, maxPerHuman: 8, maxWaitMs: longTurnMs, isStale: long.isStale },
    // Held for one chunk, so that a human alone may use both.
    chunk: { width: 2, maxWaitMs: 30_000, isStale: long.isStale },
    // An upload that waits holds one read of its connection instead of a chunk.
    buffer: { width: 8, maxWaitMs: 30_000, isStale: long.isStale },
    replay: { width: part(2), maxWaitMs: longTurnMs, isStale },
    // A response of values takes several times its size, and one that waits keeps its first piece.
    values: { width: 3, maxPerHuman: 2, maxWaitMs: 5_000, maxWaiting: 32 },
    elsewhere: { width: 16, maxPerHuman: 2, maxWaitMs: 5_000 },
  }
}
