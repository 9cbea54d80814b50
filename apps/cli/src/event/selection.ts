import type { Client, Event } from '@collab-spaces/client'
import { eventsBetween, lastEvents, mentionsOf, pagesAfter } from './history.js'
import { threadWithEvents } from './thread.js'

/** How much of a history is shown to who does not say. */
const USUAL_TAIL = 20

/** What of a history somebody wants to read. */
export interface Selection {
  readonly space_id: string
  /** Only the last ones of those that are selected otherwise. */
  readonly tail?: number | undefined
  /** Only what comes after this event. */
  readonly since?: string | undefined
  /** Only what was posted into this thread, which may be named by the event it is anchored on. */
  readonly thread?: string | undefined
  /** Only what mentions this actor. */
  readonly mentioned?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** How events are asked for. */
export interface Sources {
  readonly client: Client
  readonly signal: AbortSignal
}

/** The events that are there now, ascending. */
export async function selected(sources: Sources, selection: Selection): Promise<Event[]> {
  const { tail } = selection
  if (selectsLast(selection)) {
    return lastEvents(sources.client, selection.space_id, tail ?? USUAL_TAIL, sources.signal)
  }
  const events = await allSelected(sources, selection)
  return tail === undefined ? events : events.slice(Math.max(0, events.length - tail))
}

const selectsLast = ({ since, thread, mentioned, from, to }: Selection) =>
  [since, thread, mentioned, from, to].every((given) => given === undefined)

async function allSelected(
  { client, signal }: Sources,
  { space_id, since, thread, mentioned, from, to }: Selection,
): Promise<Event[]> {
  if (mentioned !== undefined) return mentionsOf(client, space_id, mentioned, since, signal)
  if (thread !== undefined) return (await threadWithEvents(client, space_id, thread, signal)).events
  if (from !== undefined || to !== undefined) return eventsBetween(client, space_id, { from, to }, signal)
  const events: Event[] = []
  for await (const page of pagesAfter(client, space_id, since, signal)) events.push(...page)
  return events
}

/** Whether an event that has just come is one of those that are wanted. */
export function isSelected({ thread, mentioned }: Selection, { thread_id, metadata }: Event): boolean {
  if (thread !== undefined && thread_id !== thread) return false
  if (mentioned === undefined) return true
  const mentions = metadata?.mentions
  return Array.isArray(mentions) && mentions.includes(mentioned)
}
