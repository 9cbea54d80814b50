import { type Capacity, PAGES_PER_STATEMENT } from '@collab-spaces/db'
import { type Claimant, FairLimiter, type LimiterOptions, type LimiterUse, type Slot } from '@collab-spaces/fair'

/** The cost of an operation, which each says in its `meta`. */
export type Cost =
  /** Reads a few rows. */
  | 'row'
  /** Changes rows, for which it may wait for others that change the same. */
  | 'change'
  /** Reads a piece of a history. */
  | 'page'
  /** Takes the database long. */
  | 'heavy'
  /** Writes a short event, which shares its commit with others. */
  | 'write'
  /** Writes many events, or one whose text takes long. */
  | 'bulk'
  /** Looks again and again, and rests in between. */
  | 'wait'
  /** Begins a stream. */
  | 'stream'

/** Other work that takes a slot. */
type Kind =
  | Cost
  /** Reads for streams that are behind. */
  | 'replay'
  /** An answer that has to be values in memory. */
  | 'values'
  /** Work that takes as long as the servers of strangers take. */
  | 'elsewhere'

/**
 * The one place where work waits for its turn. Each kind of it has slots of its own, for which tenants take turns, in a
 * tenant its humans with their agents, and in those the credentials.
 */
export class Gate {
  readonly #limiters: Readonly<Record<Kind, FairLimiter>>

  constructor(capacity: Capacity) {
    const options = slotsOf(capacity)
    this.#limiters = Object.fromEntries(
      Object.entries(options).map(([kind, each]) => [kind, new FairLimiter(each)]),
    ) as Record<Kind, FairLimiter>
  }

  /** Does the work while it has a slot. Rejects when it gets none in time, or when nobody waits for it any more. */
  run<T>(kind: Kind, claimant: Claimant, work: (slot: Slot) => Promise<T>): Promise<T> {
    return this.#limiters[kind].run(claimant, work)
  }

  /** How the slots of each kind are used. */
  use(): (readonly [Kind, LimiterUse])[] {
    return Object.entries(this.#limiters).map(([kind, limiter]) => [kind as Kind, limiter.use])
  }
}

/**
 * How the connections are divided. Changes and appends, which can hold one for as long as a row is locked, have together
 * fewer slots than `requests` has connections, so that what is short finds one. Searches and batches may have all of
 * `long` for as long as that: what the server looks at by itself can be late.
 */
function slotsOf({ requests, pages, long, turnMs, longTurnMs }: Capacity): Record<Kind, LimiterOptions> {
  const part = (ninths: number) => Math.max(1, Math.floor((requests.connections * ninths) / 9))
  const { isStale } = requests
  return {
    row: { width: part(5), maxWaitMs: turnMs, isStale },
    change: { width: part(4), maxPerHuman: part(2), maxWaitMs: turnMs, isStale },
    // Pages that are asked for at the same time share statements.
    page: {
      width: pages.connections * PAGES_PER_STATEMENT,
      ignoresAddresses: true,
      maxWaitMs: longTurnMs,
      isStale: pages.isStale,
    },
    heavy: {
      // The others are for batches, and for what the server looks at by itself.
      width: Math.max(1, long.connections - 3),
      maxPerHuman: 2,
      maxWaitMs: longTurnMs,
      yieldAfterMs: 1_000,
      isStale: long.isStale,
    },
    // The slot ends before the log. Look-ups until then, such as who is named as the speaker, share connections.
    write: { width: part(4), ignoresAddresses: true, maxWaitMs: turnMs, isStale },
    // The names of a large space take 10 MB while a text is compared with them.
    bulk: { width: 3, maxPerHuman: 2, maxWaitMs: longTurnMs, isStale },
    // An event may wake thousands.
    wait: { width: part(4), maxPerHuman: 2, maxWaitMs: 30_000 },
    stream: { width: 64, maxWaitMs: longTurnMs, isStale },
    replay: { width: part(2), maxWaitMs: longTurnMs, isStale },
    // An answer that is values takes several times its size. The first piece of one that waits is kept: not many do.
    values: { width: 3, maxPerHuman: 2, maxWaitMs: 5_000, maxWaiting: 32 },
    elsewhere: { width: 16, maxPerHuman: 2, maxWaitMs: 5_000 },
  }
}
