import type { AppRouter } from '@collab-spaces/api'
import { fenced } from '@collab-spaces/domain'
import type { inferRouterOutputs } from '@trpc/server'

/** What tools return, as text for a model. What participants wrote stands between tags, as in a context. */

type Outputs = inferRouterOutputs<AppRouter>

export type Event = Outputs['event']['get']
export type Decision = Outputs['decision']['get']
export type Space = Outputs['space']['list'][number]
export type Match = Outputs['search']['events'][number]
export type Context = Outputs['context']['get']

/** Lines of what there is, or that there is nothing. */
const lines = <T>(items: readonly T[], line: (item: T) => string, none: string) =>
  items.length === 0 ? none : items.map(line).join('\n')

const eventElement = (event: Event): string =>
  fenced(
    'event',
    {
      id: event.event_id,
      at: event.timestamp,
      by: event.posted_by,
      speaker: `${event.speaker_name} (${event.speaker_id}, ${event.speaker_type})`,
      reply_to: event.parent_event_id,
      thread: event.thread_id,
    },
    event.text,
  )

export const eventLines = (events: readonly Event[]) => lines(events, eventElement, 'No events.')

export const matchLines = (matches: readonly Match[]) =>
  lines(matches, (match) => `${match.space_id}:\n${eventElement(match)}`, 'Nothing found.')

const decisionElement = ({ text, resolution, ...decision }: Decision): string =>
  fenced(
    'decision',
    {
      id: decision.decision_id,
      space: decision.space_id,
      status: decision.status,
      proposed_by: decision.posted_by,
      settled_by: decision.settled_by,
    },
    resolution === null ? text : `${text}\n→ ${resolution}`,
  )

export const decisionLines = (decisions: readonly Decision[]) => lines(decisions, decisionElement, 'No decisions.')

const spaceElement = ({ space_id, status, event_count, last_event_at, description }: Space): string =>
  fenced('space', { id: space_id, status, events: String(event_count), last_event_at }, description)

export const spaceLines = (spaces: readonly Space[]) => lines(spaces, spaceElement, 'No spaces.')

type Inbox = Outputs['inbox']['get']

/** What waits, and how to say that it is done. A stopped agent hears of that alone: it can do nothing about the rest. */
export function inboxText({ counts, items, decisions, notices, done, stopped }: Inbox): string {
  if (stopped) return `You have been stopped. ${stopped.reason ?? ''}`.trim()
  const waiting = items.map(
    ({ space_id, kinds, event }) => `${kinds.join(', ')} in ${space_id}:\n${eventElement(event)}`,
  )
  const told = [...decisions.map(decisionElement), ...notices.map((notice) => `notice ${JSON.stringify(notice)}`)]
  if (waiting.length + told.length === 0) return 'Nothing waits for you.'
  const more = counts.unread - items.length
  return [...waiting, ...told, more > 0 ? `And ${more} more.` : '', `done: ${JSON.stringify(done)}`].join('\n').trim()
}

export const contextText = ({ text }: Context) => text
