/** Checks that a reader saw a contiguous part of the stored order, from its cursor on. */
export function checkReader(
  name: string,
  seen: readonly string[],
  order: readonly string[],
  after: string | undefined,
): string[] {
  const from = after === undefined ? 0 : order.indexOf(after) + 1
  const wrong = seen.findIndex((eventId, index) => eventId !== order[from + index])
  if (wrong !== -1) {
    const place = order.indexOf(seen[wrong] ?? '')
    return [`${name}: the event that it was sent as number ${wrong + 1} is stored as number ${place - from + 1}`]
  }
  const expected = order.length - from
  return seen.length === expected ? [] : [`${name}: saw ${seen.length} of ${expected} events, and no more came`]
}
