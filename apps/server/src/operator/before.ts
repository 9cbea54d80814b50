import { parseTimestamp } from '@collab-spaces/domain'
import { InvalidArgumentError } from 'commander'

const DAYS = /^(\d{1,5})d$/
const DAY_MS = 86_400_000

/** The value of `--before`: a time, or so many days ago. A time to come would be all that there is, and a typing error. */
export function parseBefore(given: string): Date {
  const days = DAYS.exec(given)?.[1]
  const time = days === undefined ? parseTimestamp(given) : new Date(Date.now() - Number(days) * DAY_MS)
  if (!time) throw new InvalidArgumentError('It must be a time in ISO 8601, such as 2026-01-01, or days, such as 90d.')
  if (time.getTime() > Date.now()) throw new InvalidArgumentError('It must not be in the future.')
  return time
}
