import { InvalidArgumentError } from '@commander-js/extra-typings'

/** Parses an option that is a number of things. */
export function wholeNumber(given: string): number {
  if (/^\d{1,9}$/.test(given)) return Number(given)
  throw new InvalidArgumentError('It must be a whole number.')
}
