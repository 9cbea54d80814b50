/** A citation in a summary: an ID in square brackets. */
export const CITATION = /\[([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\]/g

/** A timestamp in a summary, as the server writes it. */
export const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/** Numbers the cited IDs in the order of their first citation. */
export function numbersOf(text: string): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  for (const [, id = ''] of text.matchAll(CITATION)) if (!numbers.has(id)) numbers.set(id, numbers.size + 1)
  return numbers
}
