export const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)

/** Returns the median; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = ascending(values)
  const middle = sorted.length >> 1
  const upper = Number(sorted[middle])
  return sorted.length % 2 === 1 ? upper : (upper + Number(sorted[middle - 1])) / 2
}

/** Returns the value that this share of all values does not exceed. */
export const percentile = (sorted: readonly number[], share: number): number =>
  Number(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)])

export function percentiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = ascending(values)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

/** Formats a number with about three digits and no exponent. */
export function formatNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(value >= 10 ? 1 : 2)
}
