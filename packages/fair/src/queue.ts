/**
 * The payer of a piece of work, by names that are unique: a tenant, a human in it, a credential of theirs or of one of
 * their agents. Any number of levels, the widest first.
 */
export type FairKey = readonly string[]

/** A payer with others below it, or with work of its own. */
interface Branch<T> {
  readonly items: T[]
  readonly branches: Map<string, Branch<T>>
  size: number
}

const emptyBranch = <T>(): Branch<T> => ({ items: [], branches: new Map(), size: 0 })

/**
 * Work that waits. At each level, payers take turns; what one payer sends is first come, first served. However much one
 * of them sends, the next piece of work of another is a turn away.
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
   * Removes the next item. `mayAnyOf` passes over all that is below a payer, whose level is counted from 0, without
   * asking for each: there may be thousands. `may` passes over one that is next for its payer.
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
        // A map keeps the order in which its names were added: this one goes to the end of the line.
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

  /** Whether a condition holds for any of the items. */
  some(holds: (item: T) => boolean): boolean {
    const inBranch = ({ items, branches }: Branch<T>): boolean =>
      items.some(holds) || [...branches.values()].some(inBranch)
    return inBranch(this.#root)
  }

  /** Removes an item of a payer. False if it is not there any more. */
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

  /** Removes and returns every item that a condition picks. */
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
