import type { Scope } from '@collab-spaces/domain'

/** What is charged for a piece of work: a tenant, and in it an actor. */
export interface Payer {
  readonly scope: Scope
  readonly actorId: string
}

/**
 * First come, first served for each actor; actors of a tenant take turns, and so do tenants. However much one of them
 * sends, the next piece of work of another is a turn away.
 */
export class FairQueue<T> {
  readonly #tenants = new Map<Scope, Map<string, T[]>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  push({ scope, actorId }: Payer, item: T): void {
    const actors = this.#tenants.get(scope) ?? new Map<string, T[]>()
    if (actors.size === 0) this.#tenants.set(scope, actors)
    const items = actors.get(actorId)
    if (items) items.push(item)
    else actors.set(actorId, [item])
    this.#size++
  }

  /**
   * Removes the next item of a payer that may have it now, who then goes to the end of the line. Where a whole tenant
   * may have nothing, its actors are not asked for: there may be thousands.
   */
  shift(
    may: (payer: Payer, item: T) => boolean = () => true,
    mayAnyOf: (scope: Scope) => boolean = () => true,
  ): T | undefined {
    for (const [scope, actors] of this.#tenants) {
      if (!mayAnyOf(scope)) continue
      for (const [actorId, items] of actors) {
        const [item] = items as [T]
        if (!may({ scope, actorId }, item)) continue
        items.shift()
        toTheEnd(actors, actorId, items, items.length)
        toTheEnd(this.#tenants, scope, actors, actors.size)
        this.#size--
        return item
      }
    }
    return undefined
  }

  /** Removes the newest item of the actor with most of them in the tenant with most of them. */
  popOfMost(): T | undefined {
    const sizeOf = (actors: ReadonlyMap<string, readonly T[]>) =>
      [...actors.values()].reduce((sum, { length }) => sum + length, 0)
    const [scope, actors] = mostOf(this.#tenants, sizeOf) ?? []
    const [actorId, items] = (actors && mostOf(actors, ({ length }) => length)) ?? []
    const item = items?.at(-1)
    if (scope !== undefined && actorId !== undefined && item !== undefined) this.delete({ scope, actorId }, item)
    return item
  }

  /** Whether a condition holds for any of the items. */
  some(holds: (item: T) => boolean): boolean {
    for (const actors of this.#tenants.values()) {
      for (const items of actors.values()) if (items.some(holds)) return true
    }
    return false
  }

  /** Removes an item of a payer. False if it is not there any more. */
  delete({ scope, actorId }: Payer, item: T): boolean {
    const actors = this.#tenants.get(scope)
    const items = actors?.get(actorId)
    const index = items?.indexOf(item) ?? -1
    if (!actors || !items || index === -1) return false
    items.splice(index, 1)
    if (items.length === 0) actors.delete(actorId)
    if (actors.size === 0) this.#tenants.delete(scope)
    this.#size--
    return true
  }

  /** Removes and returns every item that a condition picks. */
  remove(picks: (item: T) => boolean): T[] {
    const removed: T[] = []
    for (const [scope, actors] of this.#tenants) {
      for (const [actorId, items] of actors) {
        const picked = items.filter(picks)
        if (picked.length === 0) continue
        removed.push(...picked)
        if (picked.length === items.length) actors.delete(actorId)
        else
          actors.set(
            actorId,
            items.filter((item) => !picked.includes(item)),
          )
      }
      if (actors.size === 0) this.#tenants.delete(scope)
    }
    this.#size -= removed.length
    return removed
  }
}

/** A map keeps the order in which its keys were added. One that has nothing left goes. */
function toTheEnd<K, V>(line: Map<K, V>, key: K, value: V, left: number): void {
  line.delete(key)
  if (left > 0) line.set(key, value)
}

function mostOf<K, V>(entries: ReadonlyMap<K, V>, sizeOf: (value: V) => number): [K, V] | undefined {
  let most: [K, V] | undefined
  for (const entry of entries) if (!most || sizeOf(entry[1]) > sizeOf(most[1])) most = entry
  return most
}
