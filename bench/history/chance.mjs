/** Chance that gives the same run for the same seed, and frequencies as unequal as those of words. */

/** @typedef {() => number} Chance A number from 0 up to, but not including, 1. */

/** @param {number} seed @returns {Chance} */
export function chanceOf(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Picks by weight: the index of one of them, the heavier the likelier.
 * @param {readonly number[]} weights
 */
export function weighted(weights) {
  const sums = new Float64Array(weights.length)
  let sum = 0
  for (const [index, weight] of weights.entries()) {
    sum += weight
    sums[index] = sum
  }
  return (/** @type {Chance} */ chance) => {
    const wanted = chance() * sum
    let low = 0
    let high = sums.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (/** @type {number} */ (sums[middle]) <= wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

/**
 * By Zipf's law: the rank r comes 1/r as often as the first.
 * @param {number} count
 */
export function zipf(count) {
  const pick = weighted(Array.from({ length: count }, (_, index) => 1 / (index + 1)))
  return (/** @type {Chance} */ chance) => pick(chance) + 1
}

/** @template T @param {readonly T[]} list @param {Chance} chance @returns {T} */
export const oneOf = (list, chance) => /** @type {T} */ (list[Math.floor(chance() * list.length)])
