/** @param {readonly number[]} values */
export const ascending = (values) => [...values].sort((a, b) => a - b)

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = ascending(values)
  const middle = sorted.length >> 1
  const upper = /** @type {number} */ (sorted[middle])
  return sorted.length % 2 === 1 ? upper : (upper + /** @type {number} */ (sorted[middle - 1])) / 2
}

/** The value that this share of all are not above. @param {readonly number[]} sorted @param {number} share */
export const percentile = (sorted, share) =>
  /** @type {number} */ (sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)])

/** @param {readonly number[]} values */
export function percentiles(values) {
  const sorted = ascending(values)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

/** In three digits or so, without an exponent. @param {number} value */
export function shown(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(value >= 10 ? 1 : 2)
}
