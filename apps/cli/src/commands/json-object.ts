import type { Link } from '@collab-spaces/client'
import { InvalidArgumentError } from '@commander-js/extra-typings'

type JsonObject = Link['attributes']

/** For an option whose value is a JSON object. */
export function jsonObject(value: string): JsonObject {
  try {
    const parsed: JsonObject | null = JSON.parse(value)
    if (parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed)) return parsed
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError(`It must be a JSON object, such as '{"priority": 1}'.`)
}
