import type { Edge, SealedTree } from './growth.js'
import { placeOf, type TreeKey } from './key.js'

/** The maximum number of cached edges, at about 3 KB each. */
const MAX = 4_000

interface CachedEdge extends Pick<SealedTree, 'epoch' | 'size' | 'checkpoint'> {
  /** Null while leaves are being appended to it. */
  readonly edge: Edge | null
}

/**
 * A cache of the edges of trees sealed by this process. While a tree still has the checkpoint signed here, its earlier
 * leaves are neither read nor checked again: otherwise each second would read up to a tile of every growing tree. For a
 * size that it has signed, it signs no other root, even if the tables have changed.
 */
export class Edges {
  /** In the order of sealing, the most recent last. */
  readonly #known = new Map<string, CachedEdge>()

  /**
   * Takes the edge of a tree out, to append leaves; null if another server sealed it, or none. A string is the reason to
   * append nothing: the tree was larger, or different.
   */
  take({
    key,
    epoch,
    size,
    checkpoint,
  }: Pick<SealedTree, 'key' | 'epoch' | 'size' | 'checkpoint'>): Edge | string | null {
    const name = nameOf(key)
    const known = this.#known.get(name)
    if (!known) return null
    this.#remember(name, { ...known, edge: null })
    if (known.checkpoint === checkpoint) return known.edge
    // Other servers seal it, too. Each size has one checkpoint, from any of them.
    if (epoch > known.epoch || (epoch === known.epoch && size > known.size)) return null
    return `it was sealed here with ${known.size} entries, and now has a checkpoint of ${size}`
  }

  /** Caches the edge of a stored tree. */
  put({ key, epoch, size, checkpoint }: SealedTree, edge: Edge): void {
    this.#remember(nameOf(key), { epoch, size, checkpoint, edge })
  }

  #remember(name: string, known: CachedEdge): void {
    this.#known.delete(name)
    this.#known.set(name, known)
    const [oldest] = this.#known.keys()
    if (oldest !== undefined && this.#known.size > MAX) this.#known.delete(oldest)
  }
}

const nameOf = (key: TreeKey) => `${key.tenantId}/${placeOf(key)}/${key.tree}`
