/** Returns a number from 0 to 1, exclusive. */
export type Random = () => number

/** Returns a generator with the same sequence for the same seed. */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Returns a random index, weighted. */
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

/** Returns a random rank by Zipf's law: rank r occurs 1/r as often as the first. */
export function zipf(count: number): (random: Random) => number {
  const pick = weighted(Array.from({ length: count }, (_, index) => 1 / (index + 1)))
  return (random) => pick(random) + 1
}

export const oneOf = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)] as T
