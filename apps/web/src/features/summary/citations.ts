/** Citations in a summary are ids in square brackets. */
export const CITATION = /\[([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\]/g

/** Times stand in it as the service writes them. */
export const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/** The number of each cited id, in the order in which they come. */
export function numbersOf(text: string): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  for (const [, id = ''] of text.matchAll(CITATION)) if (!numbers.has(id)) numbers.set(id, numbers.size + 1)
  return numbers
}
