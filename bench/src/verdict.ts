import { median } from './report/numbers.js'
import type { Claim, Figures } from './row.js'

/** The figures of each side, by round. */
export type Rounds = Readonly<Record<string, readonly Figures[]>>

/** The median of the rounds, and their range. */
export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

/** A claim with its measurement. */
export interface Verdict extends Claim, Spread {
  readonly verdict: 'aim met' | 'must met' | 'missed'
}

export interface SideSummary {
  readonly side: string
  readonly figures: Readonly<Record<string, Spread>>
}

export interface SideRatio extends Spread {
  readonly side: string
  readonly figure: string
}

/**
 * Judges a claim. A ratio compares two sides in the same round, so that a temporary slowdown of the machine affects
 * both.
 */
export function judge(claim: Claim, rounds: Rounds): Verdict {
  const { side, figure, against, bound, must, aim } = claim
  const worst = bound === 'at least' ? Math.min : Math.max
  const own = [side].flat().flatMap((name) => (name in rounds ? [valuesOf(rounds, name, figure)] : []))
  const amounts = (own[0] ?? []).map((_, round) => worst(...own.map((values) => Number(values[round]))))
  const spread = spreadOf(against === undefined ? amounts : quotients(amounts, valuesOf(rounds, against, figure)))
  const holds = (limit: number) => (bound === 'at least' ? spread.median >= limit : spread.median <= limit)
  return { ...claim, ...spread, verdict: holds(aim) ? 'aim met' : holds(must) ? 'must met' : 'missed' }
}

export function summarize(rounds: Rounds): SideSummary[] {
  return Object.entries(rounds).map(([side, figures]) => ({
    side,
    figures: Object.fromEntries(
      Object.keys(figures[0] ?? {}).map((figure) => [figure, spreadOf(valuesOf(rounds, side, figure))]),
    ),
  }))
}

/** Returns each figure of a side that was measured under another name too, as a multiple of that one. */
export function ratios(rounds: Rounds, otherName: (side: string) => string): SideRatio[] {
  return Object.entries(rounds).flatMap(([side, figures]) => {
    const other = otherName(side)
    if (!(other in rounds)) return []
    return Object.keys(figures[0] ?? {}).map((figure) => {
      const values = quotients(valuesOf(rounds, side, figure), valuesOf(rounds, other, figure))
      return { side, figure, ...spreadOf(values) }
    })
  })
}

const valuesOf = (rounds: Rounds, side: string, figure: string) =>
  (rounds[side] ?? []).map((figures) => Number(figures[figure]))

const quotients = (values: readonly number[], divisors: readonly number[]) =>
  values.map((value, round) => value / Number(divisors[round]))

const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  least: Math.min(...values),
  most: Math.max(...values),
})
