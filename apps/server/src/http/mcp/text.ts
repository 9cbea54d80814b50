import type { AppRouter } from '@collab-spaces/api'
import { fenced, spokenAttributes } from '@collab-spaces/domain'
import type { inferRouterOutputs } from '@trpc/server'
import type { Fence } from './fence.js'

/**
 * Results of tools, as text for a model. Words of participants stand between tags, as in a context, and all of that
 * within the fence of the answer.
 */

type Outputs = inferRouterOutputs<AppRouter>

export type Event = Outputs['event']['get']
export type Decision = Outputs['decision']['get']
export type Space = Outputs['space']['list'][number]
export type Match = Outputs['search']['events'][number]
export type Context = Outputs['context']['get']

export type Receipt = Outputs['receipt']['list'][number]
export type Inbox = Outputs['inbox']['get']

/** Lines of what there is, or that there is nothing. */
const lines = <T>(items: readonly T[], line: (item: T) => string, none: string, fence: Fence) =>
  items.length === 0 ? none : fence(items.map(line).join('\n'))

const eventElement = (event: Event): string =>
  fenced(
    'event',
    {
      id: event.event_id,
      at: event.timestamp,
      ...spokenAttributes(event),
      reply_to: event.parent_event_id,
      thread: event.thread_id,
    },
    event.text,
  )

/** An event as a value, with the speaker that was only claimed, if any, in the words of the text. */
export function withClaims<E extends Event>(event: E): E & { readonly claims?: string } {
  const { claims } = spokenAttributes(event)
  return claims ? { ...event, claims } : event
}

export const eventLines = (events: readonly Event[], fence: Fence) => lines(events, eventElement, 'No events.', fence)

export const matchLines = (matches: readonly Match[], fence: Fence) =>
  lines(matches, (match) => `${match.space_id}:\n${eventElement(match)}`, 'Nothing found.', fence)

const decisionElement = ({ text, resolution, ...decision }: Decision): string =>
  fenced(
    'decision',
    {
      id: decision.decision_id,
      space: decision.space_id,
      status: decision.status,
      proposed_by: decision.posted_by,
      claims: claimedBeside(decision.posted_by, decision.proposed_by),
      settled_by: decision.settled_by,
      settler_claims: claimedBeside(decision.settled_by, decision.resolved_by),
    },
    resolution === null ? text : `${text}\n→ ${resolution}`,
  )

/** Words of participants about receipts are quoted, within the fence. */
export const receiptLines = (receipts: readonly Receipt[], fence: Fence) =>
  lines(receipts, receiptLine, 'It addresses nobody.', fence)

function receiptLine({ actor_id, state, by_event_id, reason, claim, done }: Receipt): string {
  const words = state === 'working' ? (claim?.progress ?? null) : reason
  return [
    `${actor_id}: ${state}`,
    by_event_id && `by event ${by_event_id}`,
    state === 'seen' && done && 'marked as done without an answer',
    words !== null && JSON.stringify(words),
  ]
    .filter(Boolean)
    .join(', ')
}

const claimedBeside = (actorId: string | null, claimed: string | null) => (claimed === actorId ? null : claimed)

export const decisionLines = (decisions: readonly Decision[], fence: Fence) =>
  lines(decisions, decisionElement, 'No decisions.', fence)

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
  return fenced(
    'space',
    { id: space_id, title, with: others, status, events: String(event_count), last_event_at },
    description,
  )
}

export const spaceLines = (spaces: readonly Space[], fence: Fence) => lines(spaces, spaceElement, 'No spaces.', fence)

/** An inbox, and how to mark it as done. A stopped agent hears of the stop alone: it can do nothing about the rest. */
export function inboxText({ counts, items, decisions, notices, done, stopped }: Inbox, fence: Fence): string {
  if (stopped) return `You have been stopped. ${stopped.reason ?? ''}`.trim()
  const waiting = items.map(
    ({ space_id, kinds, event, claim }) =>
      `${kinds.join(', ')} in ${space_id}${claim ? `, claimed by ${claim.holder} until ${claim.expires_at}` : ''}:\n${eventElement(event)}`,
  )
  const told = [...decisions.map(decisionElement), ...notices.map((notice) => `notice ${JSON.stringify(notice)}`)]
  if (waiting.length + told.length === 0) return 'Nothing waits for you.'
  const more = counts.unread - items.length
  return [fence([...waiting, ...told].join('\n')), more > 0 ? `And ${more} more.` : '', `done: ${JSON.stringify(done)}`]
    .join('\n')
    .trim()
}

/** A context is text itself. */
export const fencedContext = (context: Context, fence: Fence): Context => ({ ...context, text: fence(context.text) })

export const contextText = ({ text }: Context) => text
