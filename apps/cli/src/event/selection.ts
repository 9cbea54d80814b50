import type { Client, Event } from '@collab-spaces/client'
import { lastEvents, mentionsOf, pagesAfter } from './history.js'
import { threadWithEvents } from './thread.js'

/** How many events are shown by default. */
const DEFAULT_TAIL = 20

/** Which events of a space to read. */
export interface Selection {
  readonly space_id: string
  /** Only so many of the last events that the other filters select. */
  readonly tail?: number | undefined
  /** Only events after this one. */
  readonly since?: string | undefined
  /** Only events before this one. */
  readonly before?: string | undefined
  /** Only events in this thread, given by its ID or that of the event it is about. */
  readonly thread?: string | undefined
  /** Only events that mention this actor. */
  readonly mentioned?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** How events are fetched. */
export interface Sources {
  readonly client: Client
  readonly signal: AbortSignal
}

/** The selected events that exist now, ascending, and whether the same filters select others before these. */
export async function selected(sources: Sources, selection: Selection) {
  const { space_id, tail, before } = selection
  if (!selectsLast(selection)) return newest(await allSelected(sources, selection), tail ?? Number.POSITIVE_INFINITY)
  const count = tail ?? DEFAULT_TAIL
  return newest(await lastEvents(sources.client, space_id, count + 1, { before, signal: sources.signal }), count)
}

const newest = (events: readonly Event[], count: number) => ({
  events: events.slice(Math.max(0, events.length - count)),
  hasEarlier: events.length > count,
})

const selectsLast = ({ since, thread, mentioned, from, to }: Selection) =>
  [since, thread, mentioned, from, to].every((given) => given === undefined)

async function allSelected(
  { client, signal }: Sources,
  { space_id, since, thread, mentioned, from, to }: Selection,
): Promise<Event[]> {
  if (mentioned !== undefined) return mentionsOf(client, space_id, mentioned, since, signal)
  if (thread !== undefined) return (await threadWithEvents(client, space_id, thread, signal)).events
  if (from !== undefined || to !== undefined) {
    return client.rest('event.transcript', { space_id, start: from, end: to }, { signal })
  }
  const events: Event[] = []
  for await (const page of pagesAfter(client, space_id, since, signal)) events.push(...page)
  return events
}

/** Whether a new event is one of the selected. */
export function isSelected({ thread, mentioned }: Selection, { thread_id, metadata }: Event): boolean {
  if (thread !== undefined && thread_id !== thread) return false
  if (mentioned === undefined) return true
  const mentions = metadata?.mentions
  return Array.isArray(mentions) && mentions.includes(mentioned)
}
