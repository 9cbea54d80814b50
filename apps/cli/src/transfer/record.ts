import type { Event, Thread } from '@collab-spaces/client'

/** A line of an exported history: an event, or a thread, which comes before the first event that was posted into it. */
export type Record = { readonly event: Event } | { readonly thread: Thread }

/** What a line holds, or null when it is none of an export. Whether its values can be stored is for the server to say. */
export function recordIn(line: string): Record | null {
  const value = parsed(line)
  if (isText(value.event_id, value.space_id, value.speaker_id, value.speaker_name, value.text)) {
    return { event: value as unknown as Event }
  }
  if (isText(value.thread_id, value.space_id, value.parent_event_id, value.subject)) {
    return { thread: value as unknown as Thread }
  }
  return null
}

function parsed(line: string): Partial<Readonly<globalThis.Record<string, unknown>>> {
  try {
    return JSON.parse(line) ?? {}
  } catch {
    return {}
  }
}

const isText = (...values: readonly unknown[]) => values.every((value) => typeof value === 'string')

/** How the first line of an export begins, however early it was torn. */
const BEGINNINGS = ['{"event_id":"', '{"thread_id":"']

/** Whether a line can be the beginning of one that was being written when the export was interrupted. */
export const isTornRecord = (line: string) =>
  BEGINNINGS.some((beginning) => line.startsWith(beginning) || beginning.startsWith(line))
