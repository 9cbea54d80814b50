import type { Edge, SealedTree } from './growth.js'
import { placeOf, type TreeKey } from './key.js'

/** Of so many trees, at about 3 KB each. */
const MOST = 4_000

interface Remembered {
  readonly checkpoint: string
  readonly edge: Edge
}

/**
 * The edges of trees that this process has sealed. While a tree still has the checkpoint that was signed here, what lies
 * before it is neither read nor checked again: without that, each second would read up to a tile of every tree that grows.
 */
export class Edges {
  /** Those that were sealed last come last. */
  readonly #known = new Map<string, Remembered>()

  /** Takes that of a tree out, to add leaves to it; null if it was sealed elsewhere, or never. */
  take({ key, checkpoint }: Pick<SealedTree, 'key' | 'checkpoint'>): Edge | null {
    const name = nameOf(key)
    const known = this.#known.get(name)
    this.#known.delete(name)
    return known && known.checkpoint === checkpoint ? known.edge : null
  }

  /** Remembers that of a tree, once it is stored. */
  put({ key, checkpoint }: Pick<SealedTree, 'key' | 'checkpoint'>, edge: Edge): void {
    if (checkpoint === null) return
    this.#known.set(nameOf(key), { checkpoint, edge })
    const [oldest] = this.#known.keys()
    if (oldest !== undefined && this.#known.size > MOST) this.#known.delete(oldest)
  }
}

const nameOf = (key: TreeKey) => `${key.scope}/${placeOf(key)}/${key.tree}`
