import type { Event, Thread } from '@collab-spaces/client'
import { parsed } from '../json-file.js'

/** A line of an export: an event, or a thread, which comes before its first event. */
export type ExportRecord = { readonly event: Event } | { readonly thread: Thread }

/** The content of a line, or null if it is not part of an export. The server checks the values. */
export function recordIn(line: string): ExportRecord | null {
  const value = (parsed(line) ?? {}) as Readonly<Record<string, unknown>>
  if (isText(value.event_id, value.space_id, value.speaker_id, value.speaker_name, value.text)) {
    return { event: value as unknown as Event }
  }
  if (isText(value.thread_id, value.space_id, value.parent_event_id ?? value.decision_id, value.subject)) {
    return { thread: value as unknown as Thread }
  }
  return null
}

const isText = (...values: readonly unknown[]) => values.every((value) => typeof value === 'string')

/** How each line of an export begins. */
const BEGINNINGS = ['{"event_id":"', '{"thread_id":"']

/** Whether an incomplete line can be that of an interrupted export. */
export const isTornRecord = (line: string) =>
  BEGINNINGS.some((beginning) => line.startsWith(beginning) || beginning.startsWith(line))
