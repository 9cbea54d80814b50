import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requireMayRevise } from './event.js'
import { REDACTED_TEXT } from './redaction.js'
import { foldRevisions, type RevisedEvent, shownOf } from './revision.js'

/** IDs and timestamps are in the order of the log. */
const event = (event_id: string): RevisedEvent => ({ event_id, text: event_id, timestamp: event_id })
const correction = (event_id: string, corrects: string): RevisedEvent => ({ ...event(event_id), corrects })
const retraction = (event_id: string, retracts: string): RevisedEvent => ({ ...event(event_id), text: 'Why', retracts })

describe('the shown text of an event', () => {
  it('is its own text without revisions', () => {
    expect(shownOf(event('a'))).toEqual({ state: 'original', text: 'a' })
  })

  it('is that of the newest correction', () => {
    const revisions = [correction('b', 'a'), correction('c', 'a')]
    expect(shownOf(event('a'), revisions)).toEqual({ state: 'edited', text: 'c', by: 'c' })
  })

  it('is hidden after the first retraction', () => {
    const revisions = [correction('b', 'a'), retraction('c', 'a'), correction('d', 'a'), retraction('e', 'a')]
    expect(shownOf(event('a'), revisions)).toEqual({ state: 'retracted', by: 'c' })
  })

  it('is that of a read from the log, unless the reader has a newer revision', () => {
    const read = { ...event('a'), corrected_by: 'b', corrected_at: 'b', current_text: 'b' }
    expect(shownOf(read)).toEqual({ state: 'edited', text: 'b', by: 'b' })
    expect(shownOf(read, [correction('c', 'a')])).toMatchObject({ text: 'c' })
    expect(shownOf(read, [correction('b', 'a'), correction('c', 'a')])).toMatchObject({ text: 'c' })
    const later = { ...event('a'), corrected_by: 'd', corrected_at: 'd', current_text: 'd' }
    expect(shownOf(later, [correction('b', 'a')])).toMatchObject({ text: 'd' })
    expect(shownOf({ ...event('a'), retracted_by: 'c' }, [correction('b', 'a')])).toMatchObject({ by: 'c' })
  })
})

describe('foldRevisions', () => {
  it('folds revisions into their events', () => {
    const folded = foldRevisions([event('a'), event('b'), correction('c', 'a'), retraction('d', 'b')])
    expect(folded.map(({ event, shown }) => [event.event_id, shown.state])).toEqual([
      ['a', 'edited'],
      ['b', 'retracted'],
    ])
  })

  it('returns the last revision of an event outside of the list', () => {
    const folded = foldRevisions([correction('b', 'a'), event('c'), correction('d', 'a')])
    expect(folded.map(({ event }) => event.event_id)).toEqual(['c', 'd'])
    const retracted = foldRevisions([retraction('b', 'a'), correction('c', 'a')])
    expect(retracted).toMatchObject([{ shown: { state: 'retracted', by: 'b' } }])
  })
})

describe('the right to revise', () => {
  const own = { posted_by: 'usr_ada' }

  it('belongs to the poster', () => {
    expect(() => requireMayRevise(own, 'usr_ada')).not.toThrow()
    expect(() => requireMayRevise(own, 'usr_grace')).toThrow('Only the poster of an event')
  })

  it('does not extend to a retraction', () => {
    expect(() => requireMayRevise({ ...own, retracts: 'a' }, 'usr_ada')).toThrow('A retraction cannot be corrected')
  })
})

/** Concurrent writes: each revises or redacts one of three events. */
const race = fc.array(fc.record({ kind: fc.constantFrom('correct', 'retract', 'redact'), target: fc.nat(2) }), {
  maxLength: 12,
})

const idAt = (position: number) => String(position).padStart(2, '0')

/** Returns an event as a read of the log does, with its newest revision by position. */
function asRead(event: RevisedEvent, log: readonly RevisedEvent[]): RevisedEvent {
  const revisions = log.filter(({ corrects, retracts }) => (corrects ?? retracts) === event.event_id)
  const retracted = revisions.find(({ retracts }) => retracts !== undefined)
  if (retracted) return { ...event, retracted_by: retracted.event_id }
  const newest = revisions.at(-1)
  if (!newest) return event
  return { ...event, corrected_by: newest.event_id, corrected_at: newest.timestamp, current_text: newest.text }
}

/** Appends in order, also a revision that was accepted before its writer knew of a retraction. */
function logOf(steps: readonly { readonly kind: string; readonly target: number }[]): RevisedEvent[] {
  const log: RevisedEvent[] = ['00', '01', '02'].map(event)
  for (const { kind, target } of steps) {
    const id = idAt(log.length)
    if (kind === 'correct') log.push(correction(id, idAt(target)))
    else if (kind === 'retract') log.push(retraction(id, idAt(target)))
    else log.splice(target, 1, { ...(log[target] as RevisedEvent), text: REDACTED_TEXT })
  }
  return log
}

describe('concurrent corrections, retractions and redactions', () => {
  it('result in the same text for every reader', () => {
    const property = fc.property(race, fc.nat(14), (steps, moment) => {
      const log = logOf(steps)
      const firsts = log.slice(0, 3)
      const revisionsOf = (id: string, part = log) =>
        part.filter(({ corrects, retracts }) => (corrects ?? retracts) === id)
      for (const first of firsts) {
        const expected = shownOf(first, revisionsOf(first.event_id))
        // A reader that reads the log at the end.
        expect(shownOf(asRead(first, log))).toEqual(expected)
        // A reader that read the event earlier, and got later events from the stream.
        const seen = log.slice(0, Math.max(3, moment))
        const since = log.slice(Math.max(3, moment))
        expect(shownOf(asRead(first, seen), revisionsOf(first.event_id, since))).toEqual(expected)
        // A reader that followed the stream, and reads the event again.
        expect(shownOf(asRead(first, log), revisionsOf(first.event_id, seen))).toEqual(expected)
        // A reader that lists the whole log.
        const listed = foldRevisions(log.map((entry) => asRead(entry, log)))
        expect(listed.find(({ event }) => event.event_id === first.event_id)?.shown).toEqual(expected)
      }
    })
    fc.assert(property, { numRuns: 10_000 })
  })
})
