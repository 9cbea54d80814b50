/**
 * The key by which waiting work takes turns: unique names, from the widest level to the narrowest. Usually a tenant, a
 * human in it, and a credential of that human or one of its agents.
 */
export type FairKey = readonly string[]

/** A level of the key, with narrower levels below it or with items. */
interface Branch<T> {
  readonly items: T[]
  readonly branches: Map<string, Branch<T>>
  size: number
}

const emptyBranch = <T>(): Branch<T> => ({ items: [], branches: new Map(), size: 0 })

/**
 * A queue in which the names at each level take turns. Items of one key are first in, first out. However many items one
 * key has, the next item of another key is one turn away.
 */
export class FairQueue<T> {
  readonly #root = emptyBranch<T>()

  get size(): number {
    return this.#root.size
  }

  push(fairKey: FairKey, item: T): void {
    let branch = this.#root
    branch.size++
    for (const name of fairKey) {
      let below = branch.branches.get(name)
      if (!below) {
        below = emptyBranch()
        branch.branches.set(name, below)
      }
      branch = below
      branch.size++
    }
    branch.items.push(item)
  }

  /**
   * Removes the next item. `mayAnyOf` rejects a name and all keys below it at once, since there may be thousands;
   * levels count from 0. `may` rejects the next item of a key.
   */
  shift(
    mayAnyOf: (name: string, level: number) => boolean = () => true,
    may: (item: T) => boolean = () => true,
  ): T | undefined {
    const next = (branch: Branch<T>, level: number): T | undefined => {
      const [first] = branch.items
      if (first !== undefined && may(first)) {
        branch.items.shift()
        branch.size--
        return first
      }
      for (const [name, below] of branch.branches) {
        if (!mayAnyOf(name, level)) continue
        const item = next(below, level + 1)
        if (item === undefined) continue
        branch.size--
        // A map iterates in insertion order, so this moves the name to the end of the line.
        branch.branches.delete(name)
        if (below.size > 0) branch.branches.set(name, below)
        return item
      }
      return undefined
    }
    return next(this.#root, 0)
  }

  /** Removes the newest item of the key with the most waiting items, at each level. */
  popFromLargest(): T | undefined {
    let branch = this.#root
    const fairKey: string[] = []
    while (branch.branches.size > 0) {
      const [name, most] = [...branch.branches].reduce((most, next) => (next[1].size > most[1].size ? next : most))
      fairKey.push(name)
      branch = most
    }
    const item = branch.items.at(-1)
    if (item !== undefined) this.delete(fairKey, item)
    return item
  }

  /** Returns whether a condition holds for any item. */
  some(holds: (item: T) => boolean): boolean {
    const inBranch = ({ items, branches }: Branch<T>): boolean =>
      items.some(holds) || [...branches.values()].some(inBranch)
    return inBranch(this.#root)
  }

  /** Removes an item of a key. Returns false if the queue does not hold it. */
  delete(fairKey: FairKey, item: T): boolean {
    const path = [this.#root]
    for (const name of fairKey) {
      const below = path.at(-1)?.branches.get(name)
      if (!below) return false
      path.push(below)
    }
    const items = path.at(-1)?.items ?? []
    const index = items.indexOf(item)
    if (index === -1) return false
    items.splice(index, 1)
    for (const branch of path) branch.size--
    for (const [level, name] of fairKey.entries()) if (path[level + 1]?.size === 0) path[level]?.branches.delete(name)
    return true
  }

  /** Removes and returns all items that match a condition. */
  remove(picks: (item: T) => boolean): T[] {
    const removed: T[] = []
    const prune = (branch: Branch<T>): void => {
      const kept = branch.items.filter((item) => !picks(item) || !removed.push(item))
      branch.items.splice(0, branch.items.length, ...kept)
      branch.size = kept.length
      for (const [name, below] of branch.branches) {
        prune(below)
        branch.size += below.size
        if (below.size === 0) branch.branches.delete(name)
      }
    }
    prune(this.#root)
    return removed
  }
}
