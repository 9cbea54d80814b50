import { InvalidArgumentError } from '@commander-js/extra-typings'
import { parsed } from '../parsed.js'

type Json = string | number | boolean | null | Json[] | JsonObject

export interface JsonObject {
  [key: string]: Json
}

/** Parses an option that is a JSON object. */
export function jsonObject(given: string): JsonObject {
  const value = parsed(given)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new InvalidArgumentError('It must be a JSON object.')
}
