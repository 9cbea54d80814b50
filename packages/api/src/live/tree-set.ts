import type { TreeKey } from '@collab-spaces/db'
import type { TenantId } from '@collab-spaces/domain'

/** A set of trees. Added to with every event, so a tree that is in it costs no allocation. */
export class TreeSet {
  readonly #byTenant = new Map<TenantId, Map<string | null, TreeKey['tree'][]>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add({ tenantId, spaceId, tree }: TreeKey): void {
    const bySpace = this.#byTenant.get(tenantId)
    const trees = bySpace?.get(spaceId)
    if (trees?.includes(tree)) return
    this.#size++
    if (trees) trees.push(tree)
    else if (bySpace) bySpace.set(spaceId, [tree])
    else this.#byTenant.set(tenantId, new Map([[spaceId, [tree]]]))
  }

  /** Empties the set and returns its trees. */
  take(): TreeKey[] {
    const keys: TreeKey[] = []
    for (const [tenantId, bySpace] of this.#byTenant) {
      for (const [spaceId, trees] of bySpace) for (const tree of trees) keys.push({ tenantId, spaceId, tree })
    }
    this.#byTenant.clear()
    this.#size = 0
    return keys
  }
}
