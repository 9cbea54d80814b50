import { posterInWords } from '@collab-spaces/client'
import { describe, expect, it } from 'vitest'
import { otherPosters, posterOf, type Speaker, timelineOf } from './marks'

const by = (posted_by: string, posted_by_name: string, posted_by_type: string, timestamp = '2026-03-01T12:00:00Z') => ({
  speaker_id: 'usr_ada',
  speaker_name: 'Ada',
  speaker_type: 'human',
  posted_by,
  posted_by_name,
  posted_by_type,
  timestamp,
})
const ADA = ['usr_ada', 'Ada', 'human'] as const
const SCOUT = ['agt_scout', 'Scout', 'agent'] as const

const speaker = (event_count: number, ...events: readonly ReturnType<typeof by>[]) =>
  ({ participant_id: 'usr_ada', event_count, events }) as unknown as Speaker

const FROM = Date.parse('2026-03-01T12:00:00Z')
const TO = Date.parse('2026-03-01T13:00:00Z')

describe('the timeline of a speaker', () => {
  it('positions events in the window, and marks those by agents', () => {
    const events = [by(...ADA, '2026-03-01T12:15:00Z'), by(...SCOUT, '2026-03-01T12:30:00Z')]
    const marks = [
      { at: 0.25, kind: 'human' },
      { at: 0.5, kind: 'agent' },
    ]
    expect(timelineOf(speaker(2, ...events), { from: FROM, to: TO, maxCount: 9 })).toEqual({ marks, bars: [] })
  })

  it('scales buckets to the busiest one of all speakers', () => {
    const busy = { ...speaker(9, by(...ADA, '2026-03-01T12:45:00Z')), buckets: [6, 0, 0, 3] }
    const bars = [
      { from: 0, length: 0.25, height: 0.5 },
      { from: 0.75, length: 0.25, height: 0.25 },
    ]
    const timeline = timelineOf(busy, { from: FROM, to: TO, maxCount: 12 })
    expect(timeline).toEqual({ marks: [{ at: 0.75, kind: 'human' }], bars })
  })

  it.each([
    ['its own actor', [by(...ADA), by(...SCOUT)], 'Ada'],
    ['the poster of its attributions, if it has posted nothing itself', [by(...SCOUT)], 'Scout (agent) as Ada'],
  ])('belongs to %s', (_, events, words) => {
    const poster = posterOf(speaker(events.length, ...events))
    expect(poster && posterInWords(poster)).toBe(words)
  })

  it('lists the other posters', () => {
    const timeline = speaker(3, by(...SCOUT), by(...ADA), by(...SCOUT))
    expect(otherPosters(timeline, by(...ADA))).toEqual(['Scout (agent)'])
  })
})
