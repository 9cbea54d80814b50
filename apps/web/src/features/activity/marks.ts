import { type Activity, type AttributedSpeaker, asPoster } from '@collab-spaces/client'
import { kindOf } from '../../shared/components/Avatar'
import { posterName } from '../../shared/poster'

export type Speaker = Activity['participants'][number]

export interface Period {
  readonly from: number
  readonly to: number
  /** The highest message count of a bucket, over all speakers. */
  readonly maxCount: number
}

/** Keeps low bars visible. */
const MIN_HEIGHT = 0.12

/**
 * Returns the messages of a speaker as positions from 0, the start of the window, to 1, its end: marks for the loaded
 * events and, if there are more, a bar for each bucket with events. The busiest bucket of all speakers has height 1.
 */
export function timelineOf({ events, event_count, buckets = [] }: Speaker, { from, to, maxCount }: Period) {
  const place = (at: string) => Math.min(1, Math.max(0, (Date.parse(at) - from) / (to - from)))
  const marks = events.map(({ timestamp, posted_by_type }) => ({ at: place(timestamp), kind: kindOf(posted_by_type) }))
  if (event_count <= events.length) return { marks, bars: [] }
  const length = 1 / buckets.length
  const bars = buckets.flatMap((count, at) =>
    count === 0 ? [] : [{ from: at * length, length, height: Math.max(MIN_HEIGHT, count / maxCount) }],
  )
  return { marks, bars }
}

/** Returns the highest message count of a bucket. */
export const busiest = (speakers: readonly Speaker[]): number =>
  Math.max(1, ...speakers.map(({ buckets = [] }) => Math.max(0, ...buckets)))

/** Sorts speakers by their message count, highest first. Silent ones keep their order at the end. */
export const byCount = (speakers: readonly Speaker[]): readonly Speaker[] =>
  speakers.toSorted((a, b) => b.event_count - a.event_count)

/**
 * Returns the actor that a timeline is attributed to. The server counts events by speaker ID, which any poster may
 * claim. It is the account of that ID if it posted a loaded event, or else the poster of the newest one.
 */
export function posterOf({ participant_id, events }: Speaker): AttributedSpeaker | undefined {
  const own = events.findLast(({ posted_by }) => posted_by === participant_id)
  return own ? asPoster(own) : events.at(-1)
}

/** Returns the names of the other posters who claimed the speaker ID. */
export function otherPosters({ events }: Speaker, { posted_by }: AttributedSpeaker): readonly string[] {
  const others = events.filter((event) => event.posted_by !== posted_by)
  return [...new Set(others.map(posterName))]
}
