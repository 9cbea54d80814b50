import { InvalidArgumentError } from 'commander'

/** A list is in memory at once. */
const MAX_LIMIT = 10_000

/** The value of `--limit`. */
export function parseLimit(given: string): number {
  const value = /^\d{1,5}$/.test(given) ? Number(given) : 0
  if (value >= 1 && value <= MAX_LIMIT) return value
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_LIMIT}.`)
}
