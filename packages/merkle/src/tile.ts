/** The number of leaves of a tile. The server stores the hash of each full tile, which locates a changed leaf. */
export const TILE = 256
/** The height of a tile in the tree. */
export const TILE_HEIGHT = 8

/**
 * The length of a mark: the first bytes of a leaf's hash, stored with its tile. Marks prove nothing. When a tile
 * differs from the sealed one, they show which leaf differs.
 */
export const MARK_BYTES = 4

export const markOf = (leaf: Buffer): Buffer => leaf.subarray(0, MARK_BYTES)

/** Returns the index of the first mark that differs in the common part; -1 if none does. */
export function firstDifference(some: Buffer, others: Buffer): number {
  const common = Math.min(some.length, others.length)
  for (let at = 0; at < common; at++) if (some[at] !== others[at]) return Math.floor(at / MARK_BYTES)
  return -1
}
