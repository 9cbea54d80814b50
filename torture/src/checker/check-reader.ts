import type { Notes } from './notes.js'

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

/** The events that a reader had seen when the server no longer knew them. */
interface Forgetful {
  readonly gone: readonly string[]
}

/**
 * Checks that nothing that a reader saw is gone, except, if a failover may lose them, events that were neither acknowledged
 * nor stored.
 */
export function checkGone(
  name: string,
  { gone }: Forgetful,
  order: readonly string[],
  notes: Notes,
  canLoseUnacknowledged: boolean,
): string[] {
  const kept = new Set([...order, ...notes.writes.flatMap(({ eventIds = [] }) => eventIds)])
  const wrong = canLoseUnacknowledged ? gone.filter((eventId) => kept.has(eventId)) : gone
  return wrong.length === 0 ? [] : [`${name}: ${wrong.length} events that it saw were unknown later: ${wrong[0]}`]
}
