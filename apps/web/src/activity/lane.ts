import type { Activity } from '@collab-spaces/client'

export type Speaker = Activity['participants'][number]

/** What one speaker said in a window, as places from 0 (its beginning) to 1 (its end). */
export interface Lane {
  /** Where the messages are that are known one by one. */
  readonly marks: readonly number[]
  /** How many there were before these. */
  readonly earlier: number
  /** Where the first of the known ones is: before it lie the earlier ones. */
  readonly knownFrom: number
}

export function laneOf({ events, event_count }: Speaker, from: number, to: number): Lane {
  const place = (at: string) => Math.min(1, Math.max(0, (Date.parse(at) - from) / (to - from)))
  const marks = events.map(({ timestamp }) => place(timestamp))
  const earlier = event_count - events.length
  return { marks, earlier, knownFrom: earlier > 0 ? (marks[0] ?? 1) : 0 }
}

/** Those who said most first; those who said nothing keep their order at the end. */
export const byCount = (speakers: readonly Speaker[]): readonly Speaker[] =>
  speakers.toSorted((a, b) => b.event_count - a.event_count)
