import { InvalidArgumentError } from 'commander'

/** The value of an option: from 1 to 999,999. */
export function wholeNumber(given: string): number {
  if (/^[1-9]\d{0,5}$/.test(given)) return Number(given)
  throw new InvalidArgumentError('It must be a whole number.')
}
