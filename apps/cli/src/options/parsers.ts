import { lossyIntegerIn } from '@collab-spaces/client'
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { parsed } from '../json-file.js'

/** Collects the values of a repeatable option. */
export const listed = (value: string, earlier: string[] | undefined): string[] => [...(earlier ?? []), value]

/** The same where there are a few words to choose from. `problem` is what is said of any other. */
export const listedOf =
  <T extends string>(words: readonly T[], problem: string) =>
  (value: string, earlier: T[] | undefined): T[] => {
    const word = words.find((one) => one === value)
    if (word === undefined) throw new InvalidArgumentError(problem)
    return [...(earlier ?? []), word]
  }

/** Parses an option that is a number of things. */
export function wholeNumber(given: string): number {
  if (/^\d{1,9}$/.test(given)) return Number(given)
  throw new InvalidArgumentError('It must be a whole number.')
}

type Json = string | number | boolean | null | Json[] | JsonObject

export interface JsonObject {
  [key: string]: Json
}

/** Parses an option that is a JSON object. */
export function jsonObject(given: string): JsonObject {
  const lossy = lossyIntegerIn(given)
  if (lossy !== null) throw new InvalidArgumentError(`${lossy} loses digits: write it as a string.`)
  const value = parsed(given)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new InvalidArgumentError('It must be a JSON object.')
}

/** A text of which an empty one removes the present one. */
export const clearable = (text: string): string | null => (text === '' ? null : text)
