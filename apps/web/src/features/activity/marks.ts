import { type Activity, asPoster, posterName, type Spoken } from '@collab-spaces/client'
import { kindOf } from '../../shared/components/Avatar'

export type Speaker = Activity['participants'][number]

export interface Period {
  readonly from: number
  readonly to: number
  /** How many messages the busiest part of all speakers has. */
  readonly most: number
}

/** Low bars can still be seen. */
const LOWEST = 0.12

/**
 * The messages of one speaker in a window, as places from 0 (its beginning) to 1 (its end): marks for those that are
 * known one by one, and where there are more, bars for the parts of the window in which there were any. The busiest
 * part of all speakers has the height 1.
 */
export function timelineOf({ events, event_count, buckets = [] }: Speaker, { from, to, most }: Period) {
  const place = (at: string) => Math.min(1, Math.max(0, (Date.parse(at) - from) / (to - from)))
  const marks = events.map(({ timestamp, posted_by_type }) => ({ at: place(timestamp), kind: kindOf(posted_by_type) }))
  if (event_count <= events.length) return { marks, bars: [] }
  const length = 1 / buckets.length
  const bars = buckets.flatMap((count, at) =>
    count === 0 ? [] : [{ from: at * length, length, height: Math.max(LOWEST, count / most) }],
  )
  return { marks, bars }
}

/** How many messages the busiest part of all has. */
export const busiest = (speakers: readonly Speaker[]): number =>
  Math.max(1, ...speakers.map(({ buckets = [] }) => Math.max(0, ...buckets)))

/** The speakers who said most first; those who said nothing keep their order at the end. */
export const byCount = (speakers: readonly Speaker[]): readonly Speaker[] =>
  speakers.toSorted((a, b) => b.event_count - a.event_count)

/**
 * The actor to whom a timeline is shown to belong. The service counts the events under an id, under which anybody may
 * speak. It is the account of that id if it has posted any of the known events, and otherwise the poster of the newest.
 */
export function posterOf({ participant_id, events }: Speaker): Spoken | undefined {
  const own = events.findLast(({ posted_by }) => posted_by === participant_id)
  return own ? asPoster(own) : events.at(-1)
}

/** The names of others who posted under the id of a timeline. */
export function othersIn({ events }: Speaker, { posted_by }: Spoken): readonly string[] {
  const others = events.filter((event) => event.posted_by !== posted_by)
  return [...new Set(others.map(posterName))]
}
