import type { Edge, SealedTree } from './growth.js'
import { placeOf, type TreeKey } from './key.js'

/** Edges of so many trees are kept, at about 3 KB each. */
const MAX = 4_000

interface Remembered extends Pick<SealedTree, 'epoch' | 'size' | 'checkpoint'> {
  /** Null once leaves are being added to it. */
  readonly edge: Edge | null
}

/**
 * The edges of trees that this process has sealed. While a tree still has the checkpoint that was signed here, what
 * lies before it is neither read nor checked again: without that, each second would read up to a tile of every tree
 * that grows. For a size that it has signed, it signs nothing else, whatever has changed in the tables meanwhile.
 */
export class Edges {
  /** The trees that were sealed last come last. */
  readonly #known = new Map<string, Remembered>()

  /**
   * Takes the edge of a tree out, to add leaves to it; null if it was sealed elsewhere, or never. A text says why
   * nothing is added: the tree has been larger, or another one.
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
    // Other instances seal it, too. Each size has one checkpoint, whichever instance signs it.
    if (epoch > known.epoch || (epoch === known.epoch && size > known.size)) return null
    return `it was sealed here with ${known.size} entries, and now has a checkpoint of ${size}`
  }

  /** Remembers the edge of a tree, once it is stored. */
  put({ key, epoch, size, checkpoint }: SealedTree, edge: Edge): void {
    this.#remember(nameOf(key), { epoch, size, checkpoint, edge })
  }

  #remember(name: string, known: Remembered): void {
    this.#known.delete(name)
    this.#known.set(name, known)
    const [oldest] = this.#known.keys()
    if (oldest !== undefined && this.#known.size > MAX) this.#known.delete(oldest)
  }
}

const nameOf = (key: TreeKey) => `${key.tenantId}/${placeOf(key)}/${key.tree}`
