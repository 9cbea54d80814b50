import { nodeHash } from './hash.js'

/** Leaves of a tree from `first` to `end`, exclusive. */
export interface Range {
  readonly first: number
  readonly end: number
}

/** A complete subtree of 2^height leaves; `index` counts the subtrees of that height. */
export interface Subtree {
  readonly height: number
  readonly index: number
}

/** Returns the largest power of two below a size above 1. */
function split(size: number): number {
  let half = 1
  while (half * 2 < size) half *= 2
  return half
}

/**
 * Returns the ranges whose hashes prove that a leaf is in a tree, in the order of the proof (RFC 6962, section 2.1.1).
 */
export function inclusionRanges(index: number, size: number): Range[] {
  const ranges: Range[] = []
  let [first, end] = [0, size]
  while (end - first > 1) {
    const middle = first + split(end - first)
    if (index < middle) {
      ranges.unshift({ first: middle, end })
      end = middle
    } else {
      ranges.unshift({ first, end: middle })
      first = middle
    }
  }
  return ranges
}

/**
 * Returns the ranges whose hashes prove that a tree extends a smaller one, in the order of the proof (section 2.1.2).
 */
export function consistencyRanges(from: number, size: number): Range[] {
  const ranges: Range[] = []
  let [first, end] = [0, size]
  let isWhole = true
  if (from === 0 || from === size) return []
  while (end !== from) {
    const middle = first + split(end - first)
    if (from <= middle) {
      ranges.unshift({ first: middle, end })
      end = middle
    } else {
      ranges.unshift({ first, end: middle })
      first = middle
      isWhole = false
    }
  }
  return isWhole ? ranges : [{ first, end }, ...ranges]
}

/** Returns the complete subtrees of a range, from left to right. */
export function subtreesOf({ first, end }: Range): Subtree[] {
  const subtrees: Subtree[] = []
  let at = first
  while (at < end) {
    let height = 0
    while (at % 2 ** (height + 1) === 0 && at + 2 ** (height + 1) <= end) height++
    subtrees.push({ height, index: at / 2 ** height })
    at += 2 ** height
  }
  return subtrees
}

/** Returns the hash of a range from the hashes of its subtrees. */
export const rangeHash = (subtrees: readonly Buffer[]): Buffer =>
  subtrees.reduceRight((right, left) => nodeHash(left, right))

/**
 * Returns the root of a tree that has a leaf at an index, computed from an inclusion proof; null if the proof has the
 * wrong length.
 */
export function rootByInclusion(leaf: Buffer, index: number, size: number, proof: readonly Buffer[]): Buffer | null {
  const ranges = index >= 0 && index < size ? inclusionRanges(index, size) : null
  if (ranges?.length !== proof.length) return null
  return proof.reduce(
    (hash, other, at) => ((ranges[at] as Range).first > index ? nodeHash(hash, other) : nodeHash(other, hash)),
    leaf,
  )
}

/** Returns whether a proof shows that one tree extends another (RFC 9162, section 2.1.4.2). */
export function isConsistent(
  from: { readonly size: number; readonly root: Buffer },
  to: { readonly size: number; readonly root: Buffer },
  proof: readonly Buffer[],
): boolean {
  if (from.size > to.size) return false
  if (from.size === to.size) return proof.length === 0 && from.root.equals(to.root)
  if (from.size === 0) return proof.length === 0
  const isPowerOfTwo = 2 ** Math.round(Math.log2(from.size)) === from.size
  const path = isPowerOfTwo ? [from.root, ...proof] : [...proof]
  const [first, ...others] = path
  if (!first) return false
  let [fn, sn] = [from.size - 1, to.size - 1]
  while (fn % 2 === 1) [fn, sn] = [(fn - 1) / 2, Math.floor(sn / 2)]
  let [ours, theirs] = [first, first]
  for (const hash of others) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      ours = nodeHash(hash, ours)
      theirs = nodeHash(hash, theirs)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)]
    } else theirs = nodeHash(theirs, hash)
    ;[fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  }
  return sn === 0 && ours.equals(from.root) && theirs.equals(to.root)
}
