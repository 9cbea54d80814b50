import type { TreeKey } from '@collab-spaces/db'
import type { TenantId } from '@collab-spaces/domain'

/** Trees, each once. One is added with every event that is written, so nothing is made of one that is there. */
export class TreeSet {
  readonly #scopes = new Map<TenantId, Map<string | null, TreeKey['tree'][]>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add({ tenantId, spaceId, tree }: TreeKey): void {
    const places = this.#scopes.get(tenantId)
    const trees = places?.get(spaceId)
    if (trees?.includes(tree)) return
    this.#size++
    if (trees) trees.push(tree)
    else if (places) places.set(spaceId, [tree])
    else this.#scopes.set(tenantId, new Map([[spaceId, [tree]]]))
  }

  /** All of them, after which there are none. */
  take(): TreeKey[] {
    const keys: TreeKey[] = []
    for (const [tenantId, places] of this.#scopes) {
      for (const [spaceId, trees] of places) for (const tree of trees) keys.push({ tenantId, spaceId, tree })
    }
    this.#scopes.clear()
    this.#size = 0
    return keys
  }
}
