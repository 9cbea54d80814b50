import type { SummarizedEvent } from '../../src/event.js'

/** A conversation, and the main points of a careful reader. */
export interface Conversation {
  readonly language: string
  readonly events: readonly SummarizedEvent[]
  /** Three points, each with the events that make it. */
  readonly points: readonly { readonly about: string; readonly madeBy: readonly string[] }[]
}

/** One line: speaker, text. */
type Line = readonly [speaker: string, text: string]

/** Returns the events `en-01`, `en-02` and so on, one a minute. */
export function eventsOf(prefix: string, lines: readonly Line[], agents: readonly string[] = []): SummarizedEvent[] {
  return lines.map(([speaker, text], i) => ({
    event_id: `${prefix}-${String(i + 1).padStart(2, '0')}`,
    posted_by: `usr_${speaker}`,
    posted_by_name: speaker,
    posted_by_type: agents.includes(speaker) ? 'agent' : 'human',
    claim: null,
    text,
    timestamp: new Date(Date.UTC(2026, 5, 4, 8, i)).toISOString(),
    parent_event_id: null,
    thread_id: null,
    references: [],
  }))
}
