import type { AppRouter } from '@collab-spaces/api'
import { authorAttributes, delimited, emptyElement, eventElement, spokenAttributes } from '@collab-spaces/domain'
import type { inferRouterOutputs } from '@trpc/server'

/**
 * Results of tools, as text for a model. Words of participants stand between tags, as in a context, and the whole text
 * between the delimiters of the answer.
 */

type Outputs = inferRouterOutputs<AppRouter>

export type Event = Outputs['event']['get']
export type Decision = Outputs['decision']['get']
export type Space = Outputs['space']['list'][number]
export type Match = Outputs['search']['events'][number]
export type Participant = Outputs['participant']['list'][number]
export type Context = Outputs['context']['get']

export type Receipt = Outputs['receipt']['list'][number]
export type Inbox = Outputs['inbox']['get']

/** Joins lines, or returns the text for none. */
const lines = <T>(items: readonly T[], line: (item: T) => string, none: string) =>
  items.length === 0 ? none : items.map(line).join('\n')

/** Adds the attribution of an event, if any, in the words of the text. */
export function withAttribution<E extends Event>(event: E): E & { readonly attribution?: string } {
  const { attribution } = spokenAttributes(event)
  return attribution ? { ...event, attribution } : event
}

export const eventLines = (events: readonly Event[]) => lines(events, eventElement, 'No events.')

export const matchLines = (matches: readonly Match[]) =>
  lines(matches, (match) => `${match.space_id}:\n${eventElement(match)}${matchedFile(match)}`, 'Nothing found.')

/** The file that a match is in, after its event. */
function matchedFile({ matched_file }: Match): string {
  if (matched_file === undefined) return ''
  const { file_id: id, name, snippet } = matched_file
  const found = { id, name, found: 'in this file' }
  return `\n${snippet === null ? emptyElement('file', { ...found, found: 'by its name' }) : delimited('file', found, snippet)}`
}

const decisionElement = ({ text, resolution, ...decision }: Decision): string =>
  delimited(
    'decision',
    {
      id: decision.decision_id,
      space: decision.space_id,
      status: decision.status,
      thread: decision.thread_id,
      ...authorAttributes(decision),
    },
    resolution === null ? text : `${text}\n→ ${resolution}`,
  )

/** Reasons of participants are quoted. */
export const receiptLines = (receipts: readonly Receipt[]) =>
  lines(receipts, receiptLine, 'No receipts that you may read.')

function receiptLine({ actor_id, name, state, by_event_id, reason, claim, done }: Receipt): string {
  const words = state === 'working' ? (claim?.progress ?? null) : reason
  return [
    `${name} (${actor_id}): ${state}`,
    by_event_id && `by event ${by_event_id}`,
    state === 'seen' && done && 'marked as done without an answer',
    words !== null && JSON.stringify(words),
  ]
    .filter(Boolean)
    .join(', ')
}

export const decisionLines = (decisions: readonly Decision[]) => lines(decisions, decisionElement, 'No decisions.')

const spaceElement = ({
  space_id,
  title,
  partners,
  status,
  event_count,
  last_event_at,
  description,
}: Space): string => {
  const others = partners.length > 0 ? partners.map(({ name }) => name).join(', ') : null
  return delimited(
    'space',
    { id: space_id, title, with: others, status, events: String(event_count), last_event_at },
    description,
  )
}

export const spaceLines = (spaces: readonly Space[]) => lines(spaces, spaceElement, 'No spaces.')

export const participantLines = (participants: readonly Participant[]) =>
  lines(participants, ({ name, participant_type, actor_id }) => `${name} (${participant_type} ${actor_id})`, 'No one.')

/** Describes an inbox and how to mark it as done. A stopped agent gets only the stop. */
export function inboxText({ counts, items, decisions, notices, done, stopped }: Inbox): string {
  if (stopped) return `You have been stopped. ${stopped.reason ?? ''}`.trim()
  const waiting = items.map(
    ({ space_id, kinds, event, claim }) =>
      `${kinds.join(', ')} in ${space_id}${claim ? `, claimed by ${claim.holder_name} (${claim.holder}) until ${claim.expires_at}` : ''}:\n${eventElement(event)}`,
  )
  const entries = [...decisions.map(decisionElement), ...notices.map((notice) => `notice ${JSON.stringify(notice)}`)]
  if (waiting.length + entries.length === 0) return 'Your inbox is empty.'
  const more = counts.unread - items.length
  return [...waiting, ...entries, more > 0 ? `And ${more} more.` : '', `done: ${JSON.stringify(done)}`]
    .join('\n')
    .trim()
}

/** A context is text itself. */
export const contextText = ({ text }: Context) => text
