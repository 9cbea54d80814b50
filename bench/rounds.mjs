import { median } from './numbers.mjs'

/** @import { Claim, Figures, Opened } from './row.mjs' */
/** @import { Sizes } from './sizes.mjs' */

/**
 * Measures the sides of a row in turns, so that whatever else the machine does meets them all, and each round begins
 * with another side than the one before.
 * @param {Opened} opened
 * @param {Pick<Sizes, 'rounds' | 'warmUp'>} sizes
 * @param {(side: string, figures: Figures) => void} heard
 * @returns {Promise<Record<string, Figures[]>>} For each side, its figures round by round.
 */
export async function inTurns({ sides, cold }, { rounds, warmUp }, heard) {
  const names = Object.keys(sides)
  const measure = (/** @type {string} */ name) => /** @type {() => Promise<Figures>} */ (sides[name])()
  if (warmUp && !cold) for (const name of names) await measure(name)
  /** @type {Record<string, Figures[]>} */
  const results = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = /** @type {string} */ (names[(round + turn) % names.length])
      const figures = await measure(name)
      results[name]?.push(figures)
      heard(name, figures)
    }
  }
  return results
}

/**
 * A claim beside what was measured. A ratio is that of the two sides in the same round, so that what slows the whole
 * machine for a while leaves it as it is.
 * @param {Claim} claim
 * @param {Record<string, Figures[]>} results
 */
export function verdictOn(claim, results) {
  const { side, figure, against, bound, must, aim } = claim
  const figuresOf = (/** @type {string} */ one) => (results[one] ?? []).map((figures) => Number(figures[figure]))
  const worst = bound === 'at least' ? Math.min : Math.max
  const own = [side].flat().flatMap((one) => (one in results ? [figuresOf(one)] : []))
  const others = against === undefined ? undefined : figuresOf(against)
  const values = (own[0] ?? []).map((_, round) => {
    const value = worst(...own.map((rounds) => Number(rounds[round])))
    return others === undefined ? value : value / Number(others[round])
  })
  const value = median(values)
  const holds = (/** @type {number} */ limit) => (bound === 'at least' ? value >= limit : value <= limit)
  return {
    ...claim,
    value,
    least: Math.min(...values),
    most: Math.max(...values),
    verdict: holds(aim) ? 'aim met' : holds(must) ? 'must met' : 'missed',
  }
}

/** The median of each figure of each side, and how far the rounds lie apart. @param {Record<string, Figures[]>} results */
export function medians(results) {
  return Object.entries(results).map(([side, rounds]) => ({
    side,
    figures: Object.fromEntries(
      Object.keys(rounds[0] ?? {}).map((figure) => {
        const values = rounds.map((figures) => Number(figures[figure]))
        return [figure, { median: median(values), least: Math.min(...values), most: Math.max(...values) }]
      }),
    ),
  }))
}
