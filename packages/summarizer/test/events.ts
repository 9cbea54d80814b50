import type { SummarizedDecision } from '../src/decision.js'
import type { SummarizedEvent } from '../src/event.js'

/** Creates an event of a space; by default a human's, in the main line, without a parent. */
export const event = (
  id: string,
  speaker: string,
  text: string,
  rest: Partial<SummarizedEvent> = {},
): SummarizedEvent => ({
  event_id: id,
  posted_by: `usr_${speaker}`,
  posted_by_name: speaker,
  posted_by_type: 'human',
  claim: null,
  text,
  timestamp: '2026-06-04T08:00:00.000Z',
  parent_event_id: null,
  thread_id: null,
  references: [],
  ...rest,
})

/** Creates a decision that was proposed in the window. */
export const decision = (id: string, text: string, rest: Partial<SummarizedDecision> = {}): SummarizedDecision => ({
  decision_id: id,
  text,
  status: 'proposed',
  resolution: null,
  proposed_in_window: true,
  settled_in_window: false,
  proposer: { name: 'Maya', as: null },
  settler: null,
  ...rest,
})

/** Returns the lines of a section of a summary; none if it is missing. */
export function section(summary: string, title: string): string[] {
  const lines = summary.split('\n')
  const start = lines.indexOf(`## ${title}`)
  if (start < 0) return []
  const rest = lines.slice(start + 2)
  const end = rest.findIndex((line) => !line.startsWith('- '))
  return rest.slice(0, end)
}
