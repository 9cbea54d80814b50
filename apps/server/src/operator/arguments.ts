import { invalid, isEmailAddress, LIMITS, parseTimestamp } from '@collab-spaces/domain'
import { InvalidArgumentError } from 'commander'

const DAYS = /^(\d{1,5})d$/
const DAY_MS = 86_400_000

/** Returns a time, given that of the database. 400 for a time in the future, which is a mistake. */
export type Before = (now: Date) => Date

/** Parses the value of `--before`: a time, or a number of days ago. */
export function parseBefore(given: string): Before {
  const days = DAYS.exec(given)?.[1]
  if (days !== undefined) return (now) => new Date(now.getTime() - Number(days) * DAY_MS)
  const time = parseTimestamp(given)
  if (!time) throw new InvalidArgumentError('It must be a time in ISO 8601, such as 2026-01-01, or days, such as 90d.')
  return (now) => {
    if (time > now) throw invalid('--before', 'must not be in the future')
    return time
  }
}

/** A list is in memory at once. */
const MAX_LIMIT = 10_000

/** The value of `--limit`. */
export function parseLimit(given: string): number {
  const value = /^\d{1,5}$/.test(given) ? Number(given) : 0
  if (value >= 1 && value <= MAX_LIMIT) return value
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_LIMIT}.`)
}

/** Parses an argument or the value of an option: some text, but not more than so many characters. */
export function textUpTo(longest: number) {
  return (given: string) => {
    const text = given.trim()
    const { length } = Array.from(text)
    if (length > 0 && length <= longest) return text
    throw new InvalidArgumentError(`It must have 1 to ${longest} characters.`)
  }
}

/** Parses the value of `--email`. */
export function parseEmail(given: string): string {
  const address = textUpTo(LIMITS.email)(given)
  if (isEmailAddress(address)) return address
  throw new InvalidArgumentError('It must be an e-mail address.')
}
