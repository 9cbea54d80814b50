import type { Activity, Spoken } from '@collab-spaces/client'
import { type ActorKind, kindOf } from '../components/Avatar'
import { posterName } from '../components/claim'

export type Speaker = Activity['participants'][number]

interface Mark {
  readonly at: number
  readonly kind: ActorKind
}

/** The messages of one speaker in a window, as places from 0 (its beginning) to 1 (its end). */
export interface Timeline {
  /** Where the messages are that are known one by one, and what posted them. */
  readonly marks: readonly Mark[]
  /** How many there were before these. */
  readonly earlier: number
  /** Where the first of the known ones is: before it lie the earlier ones. */
  readonly knownFrom: number
}

export function timelineOf({ events, event_count }: Speaker, from: number, to: number): Timeline {
  const place = (at: string) => Math.min(1, Math.max(0, (Date.parse(at) - from) / (to - from)))
  const marks = events.map(({ timestamp, posted_by_type }) => ({ at: place(timestamp), kind: kindOf(posted_by_type) }))
  const earlier = event_count - events.length
  return { marks, earlier, knownFrom: earlier > 0 ? (marks[0]?.at ?? 1) : 0 }
}

/** Those who said most first; those who said nothing keep their order at the end. */
export const byCount = (speakers: readonly Speaker[]): readonly Speaker[] =>
  speakers.toSorted((a, b) => b.event_count - a.event_count)

/**
 * Who is shown to have said what a timeline shows. The service counts what was said under an id; anybody may speak under it.
 * It is the account of that id if it has posted any of what is known, and otherwise whoever posted the newest of it.
 */
export function posterOf({ participant_id, events }: Speaker): Spoken | undefined {
  const own = events.findLast(({ posted_by }) => posted_by === participant_id)
  if (!own) return events.at(-1)
  const { posted_by, posted_by_name, posted_by_type } = own
  return { ...own, speaker_id: posted_by, speaker_name: posted_by_name, speaker_type: posted_by_type }
}

/** Who else posted under the id of a timeline, by name. */
export function othersIn({ events }: Speaker, { posted_by }: Spoken): readonly string[] {
  const others = events.filter((event) => event.posted_by !== posted_by)
  return [...new Set(others.map(posterName))]
}
