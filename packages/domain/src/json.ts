import { invalid } from './errors.js'
import { LIMITS } from './limits.js'
import { textProblem } from './text.js'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A stored value that its reader does not understand. The message says what the value must be. */
export class MalformedValue extends Error {}

/** Returns a stored value as an object. Throws a `MalformedValue` for any other. */
export function storedObject(value: unknown): Readonly<Record<string, unknown>> {
  if (isJsonObject(value)) return value
  throw new MalformedValue('must be an object')
}

/** Returns a stored value as a list of strings, each one of `values` where they are given. */
export function storedStrings<T extends string = string>(value: unknown, values?: readonly T[]): T[] {
  const isItem = (item: unknown) => typeof item === 'string' && (values?.includes(item as T) ?? true)
  if (Array.isArray(value) && value.every(isItem)) return value
  throw new MalformedValue(values ? `must be a list of ${values.join(', ')}` : 'must be a list of strings')
}

/** Returns a stored value as one of `values`. */
export function storedOneOf<T extends string>(value: unknown, values: readonly T[]): T {
  if (values.includes(value as T)) return value as T
  throw new MalformedValue(`must be one of ${values.join(', ')}`)
}

/** Returns a stored value as an object of non-negative integers. */
export function storedCounts(value: unknown): Readonly<Record<string, number>> {
  const counts = storedObject(value)
  if (Object.values(counts).every((count) => Number.isSafeInteger(count) && (count as number) >= 0)) {
    return counts as Readonly<Record<string, number>>
  }
  throw new MalformedValue('must be an object of whole numbers')
}

/** Returns a JSON text that is equal for equal values, in whatever order the fields of objects are (RFC 8785). */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (isJsonObject(item) ? sorted(item) : item))

const sorted = (object: JsonObject) =>
  Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)))

/**
 * Refuses what no request may contain, anywhere in the input: text that cannot be stored, numbers that are not finite
 * (1e400 is parsed as Infinity, and so is an integer that would lose digits), and nesting deeper than the limit, which
 * also bounds the recursion. Items of a list in a field are checked as if each were sent alone, so that an event is valid
 * in a batch if it is valid by itself.
 */
export function checkJson(value: unknown, field = 'body', depth = 0, room: number = LIMITS.nesting): void {
  if (typeof value === 'string') {
    const problem = textProblem(value)
    if (problem) throw invalid(field, problem)
    return
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw invalid(field, 'has a number that loses digits: send it as a string')
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (room < 0) throw invalid(field, `must not nest deeper than ${LIMITS.nesting} levels`)
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (depth === 1) checkJson(item, `${field}.${index}`, 2)
      else checkJson(item, field, depth + 1, room - 1)
    }
    return
  }
  for (const [key, item] of Object.entries(value)) {
    const problem = textProblem(key)
    if (problem) throw invalid(field, `a key ${problem}`)
    checkJson(item, depth === 0 ? key : field, depth + 1, room - 1)
  }
}
