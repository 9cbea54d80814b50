import { unavailable } from '@collab-spaces/domain'
import { FairQueue } from '@collab-spaces/fair'
import type { SkipReason } from './append.js'
import { type GroupOptions, Lane, type PendingAppend, spaceOf, type Waits, type Write } from './lane.js'

const MAX_GROUP = 128

/** Takes appends up to the limits of number and weight, at least one if there are any. */
function take(shift: () => PendingAppend | undefined, maxWeight: number): PendingAppend[] {
  const group: PendingAppend[] = []
  let weight = 0
  while (group.length < MAX_GROUP && weight < maxWeight) {
    const waiting = shift()
    if (!waiting) break
    group.push(waiting)
    weight += waiting.weight
  }
  return group
}

const NO_IDENTITIES: readonly string[] = []

/**
 * Appends that share an identity cannot share a statement, as the second must see the outcome of the first: those with
 * the same idempotency key, the same file, or revisions of the same event.
 */
function identitiesOf({ append }: PendingAppend): readonly string[] {
  const { tenant_id, space_id, posted_by, idempotency_key, revises, file_ids } = append
  if (idempotency_key === undefined && revises === undefined && file_ids === undefined) return NO_IDENTITIES
  return [
    ...(idempotency_key === undefined ? [] : [JSON.stringify([tenant_id, space_id, posted_by, idempotency_key])]),
    ...(revises === undefined ? [] : [JSON.stringify([tenant_id, space_id, revises])]),
    ...(file_ids ?? []),
  ]
}

/** Adds the identities of an append. False, without a change, if one of them is there. */
function addIdentities(identities: Set<string>, waiting: PendingAppend): boolean {
  const own = identitiesOf(waiting)
  if (own.some((identity) => identities.has(identity))) return false
  for (const identity of own) identities.add(identity)
  return true
}

/**
 * Groups of appends to any spaces. A space is in one group at a time: the second group would wait for the first, with
 * all other spaces in it.
 */
export class Groups extends Lane {
  readonly #queue = new FairQueue<PendingAppend>()
  /** The spaces in groups in flight, each with its pending appends. */
  readonly #inGroup = new Map<string, PendingAppend[]>()

  constructor(
    options: GroupOptions,
    write: Write,
    waits: Waits,
    /** The lanes for appends to skipped spaces. */
    private readonly aside: Readonly<Record<SkipReason, Lane>>,
  ) {
    super(options, write, waits)
  }

  add(waiting: PendingAppend): void {
    const behind = this.#inGroup.get(spaceOf(waiting))
    if (behind) behind.push(waiting)
    else this.#push(waiting)
    this.schedule()
  }

  #push(waiting: PendingAppend): void {
    const { tenant_id, posted_by } = waiting.append
    this.#queue.push([tenant_id, posted_by], waiting)
  }

  protected override get isEmpty(): boolean {
    return this.#queue.size === 0 && this.#inGroup.size === 0
  }

  protected override next(): PendingAppend[] {
    const identities = new Set<string>()
    const again: PendingAppend[] = []
    const group = take(() => this.#shift(identities, again), this.options.maxWeight)
    for (const waiting of group) this.#inGroup.set(spaceOf(waiting), [])
    for (const waiting of again) this.#inGroup.get(spaceOf(waiting))?.push(waiting)
    return group
  }

  /** The next append for the group. `again` takes the appends with a duplicate identity. */
  #shift(identities: Set<string>, again: PendingAppend[]): PendingAppend | undefined {
    while (true) {
      const waiting = this.#queue.shift()
      if (!waiting) return undefined
      const behind = this.#inGroup.get(spaceOf(waiting))
      if (behind) behind.push(waiting)
      else if (addIdentities(identities, waiting)) return waiting
      else again.push(waiting)
    }
  }

  protected override done(group: readonly PendingAppend[]): void {
    for (const space of new Set(group.map(spaceOf))) {
      const behind = this.#inGroup.get(space) ?? []
      this.#inGroup.delete(space)
      // Emptied, as a map may keep a deleted value alive (`docs/performance.md`).
      for (const waiting of behind.splice(0)) this.#push(waiting)
    }
  }

  protected override skipped(waiting: PendingAppend, why: SkipReason): void {
    this.aside[why].add(waiting)
  }

  protected override remove(picks: (waiting: PendingAppend) => boolean): PendingAppend[] {
    const removed = this.#queue.remove(picks)
    for (const [space, behind] of this.#inGroup) {
      removed.push(...behind.filter(picks))
      this.#inGroup.set(
        space,
        behind.filter((waiting) => !picks(waiting)),
      )
    }
    return removed
  }
}

/** Appends to spaces locked by another transaction: one statement per space, which waits for the lock. */
export class LockedSpaces extends Lane {
  readonly #waiting = new Map<string, PendingAppend[]>()
  readonly #inFlight = new Set<string>()

  /** Whether the space has appends pending or in flight. */
  awaits(waiting: PendingAppend): boolean {
    const space = spaceOf(waiting)
    return this.#waiting.has(space) || this.#inFlight.has(space)
  }

  add(waiting: PendingAppend): void {
    const others = this.#waiting.get(spaceOf(waiting))
    if (others) others.push(waiting)
    else this.#waiting.set(spaceOf(waiting), [waiting])
    this.schedule()
  }

  protected override get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  protected override next(): PendingAppend[] {
    for (const [space, all] of this.#waiting) {
      if (this.#inFlight.has(space)) continue
      this.#waiting.delete(space)
      this.#inFlight.add(space)
      const identities = new Set<string>()
      const rest = [...all]
      const group = take(
        () => (rest[0] && addIdentities(identities, rest[0]) ? rest.shift() : undefined),
        this.options.maxWeight,
      )
      if (rest.length > 0) this.#waiting.set(space, rest)
      return group
    }
    return []
  }

  protected override done(group: readonly PendingAppend[]): void {
    for (const waiting of group) this.#inFlight.delete(spaceOf(waiting))
  }

  protected override skipped({ reject }: PendingAppend): void {
    reject(unavailable())
  }

  protected override remove(picks: (waiting: PendingAppend) => boolean): PendingAppend[] {
    const removed: PendingAppend[] = []
    for (const [space, all] of this.#waiting) {
      removed.push(...all.filter(picks))
      const kept = all.filter((waiting) => !picks(waiting))
      if (kept.length > 0) this.#waiting.set(space, kept)
      else this.#waiting.delete(space)
    }
    return removed
  }
}
