/** A number from 0 up to, but not including, 1. */
export type Random = () => number

/** The same run of numbers for the same seed. */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Picks by weight: the index of one of them, the heavier the likelier. */
export function weighted(weights: readonly number[]): (random: Random) => number {
  const sums: number[] = []
  let sum = 0
  for (const weight of weights) {
    sum += weight
    sums.push(sum)
  }
  return (random) => {
    const wanted = random() * sum
    let low = 0
    let high = sums.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (Number(sums[middle]) <= wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** By Zipf's law: the rank r comes 1/r as often as the first. */
export function zipf(count: number): (random: Random) => number {
  const pick = weighted(Array.from({ length: count }, (_, index) => 1 / (index + 1)))
  return (random) => pick(random) + 1
}

export const oneOf = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)] as T
