import { describe, expect, it } from 'vitest'
import { laneOf, type Speaker } from './lane'

const speaker = (event_count: number, ...times: string[]) =>
  ({ event_count, events: times.map((timestamp) => ({ timestamp })) }) as Speaker

const FROM = Date.parse('2026-03-01T12:00:00Z')
const TO = Date.parse('2026-03-01T13:00:00Z')

describe('the lane of a speaker', () => {
  it('places what was said in the window', () => {
    const lane = laneOf(speaker(2, '2026-03-01T12:15:00Z', '2026-03-01T12:30:00Z'), FROM, TO)
    expect(lane).toEqual({ marks: [0.25, 0.5], earlier: 0, knownFrom: 0 })
  })

  it('tells how much lies before what is known', () => {
    const lane = laneOf(speaker(9, '2026-03-01T12:45:00Z'), FROM, TO)
    expect(lane).toEqual({ marks: [0.75], earlier: 8, knownFrom: 0.75 })
  })
})
