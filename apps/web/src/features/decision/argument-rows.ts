import { type JsonObject, lossyIntegerIn } from '@collab-spaces/client'

/** An argument of an action as text, and as the resolver edited it: null where it is missing. */
interface ArgumentRow {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

const shown = (args: JsonObject, name: string): string | null => {
  if (!Object.hasOwn(args, name)) return null
  const value = args[name]
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}

/** Returns the arguments by name in the order of the proposal, then those that an edit added. */
export function argumentRows(proposed: JsonObject, edited: JsonObject = proposed): ArgumentRow[] {
  const names = [...new Set([...Object.keys(proposed), ...Object.keys(edited)])]
  return names.map((name) => ({ name, before: shown(proposed, name), after: shown(edited, name) }))
}

/** Reads edited arguments; null for a text that is no JSON object, or has a number that would lose digits. */
export function argumentsIn(text: string): JsonObject | null {
  if (lossyIntegerIn(text) !== null) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
  } catch {
    return null
  }
}
