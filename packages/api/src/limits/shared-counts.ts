import { randomUUID } from 'node:crypto'
import { type Database, databaseClock } from '@collab-spaces/db'

/** A count under a key. */
export interface Count {
  readonly key: string
  /** Counted by this instance. */
  own: number
  /** Counted by all other instances, as last shared. */
  others: number
  /** The expiry, in milliseconds since 1970. */
  until: number
}

const SHARE_INTERVAL_MS = 1_000
const SWEEP_INTERVAL_MS = 60_000

/**
 * Counts that the instances of one database share. Each counts in memory; once a second, one statement stores all changed
 * counts and reads those of the other instances.
 */
export class SharedCounts {
  readonly #server = randomUUID()
  #changed = new Map<string, Count>()
  #timer: NodeJS.Timeout | null = null
  #sharing: Promise<void> | null = null
  #sweptAt = 0

  constructor(
    private readonly store: Database['limitCounts'],
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Shares a count within a second. */
  share(count: Count): void {
    this.#changed.set(count.key, count)
    this.#timer ??= setInterval(() => void this.#shareAll(), SHARE_INTERVAL_MS).unref()
  }

  /** Shares the final counts, such as that no stream is open any more. */
  async close(): Promise<void> {
    this.#rest()
    await this.#sharing
    await this.#shareAll()
  }

  #rest(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  /** Runs after the previous share has ended. */
  #shareAll(): Promise<void> {
    if (this.#changed.size === 0) this.#rest()
    else
      this.#sharing ??= this.#shareChanged().finally(() => {
        this.#sharing = null
      })
    return this.#sharing ?? Promise.resolve()
  }

  async #shareChanged(): Promise<void> {
    const now = databaseClock.now().getTime()
    const counts = [...this.#changed.values()].filter(({ until }) => until > now)
    this.#changed = new Map()
    try {
      await this.#exchange(counts, now)
    } catch (error) {
      // Shared again once the database is available.
      this.#changed = new Map([...counts.map((count) => [count.key, count] as const), ...this.#changed])
      this.onFault(error)
    }
  }

  async #exchange(counts: readonly Count[], now: number): Promise<void> {
    const others = await this.store.share(
      this.#server,
      counts.map(({ key, own, until }) => ({ key, count: own, lastsMs: until - now })),
    )
    for (const count of counts) count.others = others.get(count.key) ?? 0
    if (now - this.#sweptAt < SWEEP_INTERVAL_MS) return
    this.#sweptAt = now
    await this.store.deleteExpired()
  }
}
