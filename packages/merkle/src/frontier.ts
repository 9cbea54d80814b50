import { EMPTY_ROOT, HASH_BYTES, nodeHash } from './hash.js'

/** Called for each completed subtree of 2^height leaves; `index` counts the subtrees of that height. */
export type OnSubtree = (height: number, index: number, hash: Buffer) => void

/** Returns the number of complete subtrees in a tree: the one bits of its size. */
function subtreesIn(size: number): number {
  let count = 0
  for (let left = size; left > 0; left = Math.floor(left / 2)) count += left % 2
  return count
}

/**
 * The right edge of a growing tree: the hashes of its complete subtrees, the largest first. They suffice to add leaves
 * and to compute the root.
 */
export class Frontier {
  readonly #hashes: Buffer[]
  #size: number

  /** Throws a RangeError unless the number of hashes fits the size. */
  constructor(size = 0, hashes: readonly Buffer[] = []) {
    if (hashes.length !== subtreesIn(size)) throw new RangeError(`a tree of ${size} leaves has other subtrees`)
    this.#hashes = [...hashes]
    this.#size = size
  }

  /** Reads the hashes from one buffer. */
  static from(size: number, bytes: Buffer): Frontier {
    const hashes: Buffer[] = []
    for (let at = 0; at < bytes.length; at += HASH_BYTES) hashes.push(bytes.subarray(at, at + HASH_BYTES))
    return new Frontier(size, hashes)
  }

  get size(): number {
    return this.#size
  }

  get hashes(): readonly Buffer[] {
    return this.#hashes
  }

  /** Adds the hash of a leaf. */
  append(leaf: Buffer, onSubtree?: OnSubtree): void {
    let hash = leaf
    let height = 0
    let index = this.#size++
    while (index % 2 === 1) {
      hash = nodeHash(this.#hashes.pop() as Buffer, hash)
      index = (index - 1) / 2
      height++
      onSubtree?.(height, index, hash)
    }
    this.#hashes.push(hash)
  }

  get root(): Buffer {
    return this.#hashes.length === 0 ? EMPTY_ROOT : this.#hashes.reduceRight((right, left) => nodeHash(left, right))
  }
}
