import {
  type Bus,
  type CommittedEvent,
  type Database,
  databaseClock,
  type QuotaOf,
  type QuotaRecord,
} from '@collab-spaces/db'
import {
  DEFAULT_QUOTAS,
  type DomainError,
  dayOf,
  type Quotas,
  refusalOfEvents,
  type TenantId,
} from '@collab-spaces/domain'

const COUNT_INTERVAL_MS = 1_000
/** The worst delay of a change when signals are lost. */
const READ_INTERVAL_MS = 30_000

interface TenantCount {
  quotas: Quotas
  /** The UTC day of the counted events. */
  day: string
  /** The stored sum of all instances. */
  events: number
  bytes: number
  /** The part that this instance has not stored yet. */
  newEvents: number
  newBytes: number
}

/**
 * The quotas of tenants, in memory: a tenant without any costs one map lookup. Written events are counted here and added
 * up in the database once a second, so that several instances may together exceed a quota by the writes of a second.
 */
export class TenantQuotas {
  #byScope = new Map<TenantId, TenantCount>()
  #timer: NodeJS.Timeout | null = null
  #reread: NodeJS.Timeout | null = null
  /** Reads and writes of counts run one after the other, so that an older result never replaces a newer one. */
  #latest: Promise<void> = Promise.resolve()

  constructor(
    private readonly store: Database['quotas'],
    bus: Bus,
    private readonly onFault: (error: unknown) => void,
  ) {
    bus.subscribe(({ kind }) => {
      if (kind === 'quotas' || kind === 'resumed') void this.#refresh()
    })
  }

  /** Reads the quotas, now and periodically. */
  async open(): Promise<void> {
    this.#reread = setInterval(() => void this.#refresh(), READ_INTERVAL_MS).unref()
    await this.#read()
  }

  /** Stores the pending counts. */
  async close(): Promise<void> {
    for (const timer of [this.#timer, this.#reread]) if (timer) clearInterval(timer)
    await this.#oneAtATime(() => this.#count())
  }

  /** Returns the quota of a tenant, or of one of its humans; null for no limit. */
  readonly of: QuotaOf = (tenantId, noun) => (this.#byScope.get(tenantId)?.quotas ?? DEFAULT_QUOTAS)[noun]

  /** Returns why a tenant may not write this many events now; null if it may. */
  refusalOf(tenantId: TenantId, more: number): DomainError | null {
    const counted = this.#byScope.get(tenantId)
    if (!counted) return null
    const now = databaseClock.now()
    begin(counted, dayOf(now))
    const written = { events: counted.events + counted.newEvents, bytes: counted.bytes + counted.newBytes }
    return refusalOfEvents(counted.quotas, written, more, now)
  }

  /** Counts written events. */
  written(committed: readonly CommittedEvent[]): void {
    if (this.#byScope.size === 0) return
    const today = dayOf(databaseClock.now())
    for (const { tenantId, wire } of committed) {
      const counted = this.#byScope.get(tenantId)
      if (!counted) continue
      begin(counted, today)
      counted.newEvents++
      counted.newBytes += Buffer.byteLength(wire)
      this.#timer ??= setInterval(() => void this.#oneAtATime(() => this.#count()), COUNT_INTERVAL_MS).unref()
    }
  }

  #refresh(): Promise<void> {
    return this.#oneAtATime(() => this.#read())
  }

  #oneAtATime(work: () => Promise<void>): Promise<void> {
    this.#latest = this.#latest.then(work).catch(this.onFault)
    return this.#latest
  }

  async #read(): Promise<void> {
    const records = await this.store.list()
    const before = this.#byScope
    this.#byScope = new Map(records.map((record) => [record.tenantId, countedOf(record, before.get(record.tenantId))]))
  }

  async #count(): Promise<void> {
    const today = dayOf(databaseClock.now())
    const growing = [...this.#byScope].filter(([, { newEvents, newBytes }]) => newEvents > 0 || newBytes > 0)
    if (growing.length === 0) {
      if (this.#timer) clearInterval(this.#timer)
      this.#timer = null
      return
    }
    const growths = growing.map(([tenantId, counted]) => {
      begin(counted, today)
      return { tenantId, events: counted.newEvents, bytes: counted.newBytes }
    })
    const records = new Map((await this.store.count(today, growths)).map((record) => [record.tenantId, record]))
    for (const { tenantId, events, bytes } of growths) {
      const [counted, record] = [this.#byScope.get(tenantId), records.get(tenantId)]
      if (!counted) continue
      counted.newBytes -= bytes
      if (counted.day === today) counted.newEvents -= events
      if (record) this.#byScope.set(tenantId, countedOf(record, counted))
    }
  }
}

/** Resets the count at the start of a new day. */
function begin(counted: TenantCount, today: string): void {
  if (counted.day === today) return
  Object.assign(counted, { day: today, events: 0, newEvents: 0 })
}

const countedOf = (
  { tenantId: _, day, written, ...quotas }: QuotaRecord,
  before: TenantCount | undefined,
): TenantCount => ({
  quotas,
  day,
  ...written,
  newEvents: before?.day === day ? before.newEvents : 0,
  newBytes: before?.newBytes ?? 0,
})
