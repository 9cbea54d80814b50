import { invalid } from './errors.js'
import { LIMITS } from './limits.js'
import { textProblem } from './text.js'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Refuses what no request may contain, anywhere in the input: text that cannot be stored, numbers that are not finite
 * (1e400 is parsed as Infinity), and nesting deeper than the limit, which also bounds the recursion. Items of a list in
 * a field are checked as if each were sent alone, so that an event is valid in a batch if it is valid by itself.
 */
export function checkJson(value: unknown, field = 'body', depth = 0, room: number = LIMITS.nesting): void {
  if (typeof value === 'string') {
    const problem = textProblem(value)
    if (problem) throw invalid(field, problem)
    return
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw invalid(field, 'must be a finite number')
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
