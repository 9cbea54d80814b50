/** Leaves of a tile: the hash of each full one is stored, and what is in it is found by it. */
export const TILE = 256
/** The height of a tile in the tree. */
export const TILE_HEIGHT = 8

/**
 * The first bytes of the hash of each leaf, which a tile keeps. They prove nothing: where a tile is not what was sealed,
 * they tell which of its leaves is not.
 */
export const MARK_BYTES = 4

export const markOf = (leaf: Buffer): Buffer => leaf.subarray(0, MARK_BYTES)

/** The place of the first leaf whose mark differs, among as many as both have; -1 if none does. */
export function firstDifference(some: Buffer, others: Buffer): number {
  const common = Math.min(some.length, others.length)
  for (let at = 0; at < common; at++) if (some[at] !== others[at]) return Math.floor(at / MARK_BYTES)
  return -1
}
