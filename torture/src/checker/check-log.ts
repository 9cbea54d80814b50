import type { Notes, Write } from './notes.js'
import type { StoredEvent } from './stored.js'

/** The number of violations of a kind that are listed; the others are counted. */
const NAMED = 3

/** Compares the stored events of a space with the notes of its writers. Returns the violations. */
export function checkLog(space: string, events: readonly StoredEvent[], head: number, notes: Notes): string[] {
  const writes = notes.writes.filter((write) => write.space === space)
  return [
    ...gaps(events, head),
    ...twice(events),
    ...lost(events, writes),
    ...invented(events, writes),
    ...torn(events, writes),
    ...reordered(events, writes),
    ...timestamps(events),
  ].map((violation) => `${space}: ${violation}`)
}

function gaps(events: readonly StoredEvent[], head: number): string[] {
  const misplaced = events.filter(({ position }, index) => position !== index + 1)
  return [
    ...some('positions with a gap or a double before them', misplaced, ({ position }) => String(position)),
    ...(head === events.length ? [] : [`the head says ${head}, and ${events.length} events are stored`]),
  ]
}

function twice(events: readonly StoredEvent[]): string[] {
  return some('stored twice', repeated(events.map(({ text }) => text)), String).concat(
    some('event ids given twice', repeated(events.map(({ eventId }) => eventId)), String),
  )
}

function lost(events: readonly StoredEvent[], writes: readonly Write[]): string[] {
  const stored = new Map(events.map(({ eventId, text }) => [eventId, text]))
  const missing = writes.flatMap(({ eventIds, texts }) =>
    eventIds ? texts.filter((text, index) => stored.get(eventIds[index] ?? '') !== text) : [],
  )
  return some('acknowledged and not stored as such', missing, String)
}

function invented(events: readonly StoredEvent[], writes: readonly Write[]): string[] {
  const sent = new Map(writes.flatMap((write) => write.texts.map((text) => [text, write] as const)))
  return [
    ...some(
      'stored and never sent',
      events.filter(({ text }) => !sent.has(text)),
      ({ text }) => text,
    ),
    ...some(
      'stored and refused',
      events.filter(({ text }) => sent.get(text)?.refused),
      ({ text }) => text,
    ),
  ]
}

/** A batch is stored completely and without gaps, or not at all. */
function torn(events: readonly StoredEvent[], writes: readonly Write[]): string[] {
  const places = new Map(events.map(({ text }, index) => [text, index]))
  const broken = writes.filter(({ texts }) => {
    const first = places.get(texts[0] ?? '')
    return texts.some((text, index) => places.get(text) !== (first === undefined ? undefined : first + index))
  })
  return some('batches torn', broken, ({ texts }) => texts[0] ?? '')
}

/** An event that was acknowledged before another write began is stored before it, also between different writers. */
function reordered(events: readonly StoredEvent[], writes: readonly Write[]): string[] {
  const sent = new Map(writes.flatMap((write) => write.texts.map((text) => [text, write] as const)))
  const violations: string[] = []
  let earliest = Number.POSITIVE_INFINITY
  for (const { text } of events.toReversed()) {
    const write = sent.get(text)
    if (!write) continue
    if (earliest < write.begun) violations.push(text)
    earliest = Math.min(earliest, write.acknowledged ?? Number.POSITIVE_INFINITY)
  }
  return some('stored before what had been acknowledged earlier', violations, String)
}

function timestamps(events: readonly StoredEvent[]): string[] {
  const backwards = events.filter(({ timestamp }, index) => timestamp < (events[index - 1]?.timestamp ?? ''))
  return some('timestamps that go back', backwards, ({ timestamp }) => timestamp)
}

function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>()
  return values.filter((value) => seen.size === seen.add(value).size)
}

function some<T>(what: string, found: readonly T[], name: (item: T) => string): string[] {
  if (found.length === 0) return []
  const more = found.length > NAMED ? ', …' : ''
  return [`${found.length} ${what}: ${found.slice(0, NAMED).map(name).join(', ')}${more}`]
}
