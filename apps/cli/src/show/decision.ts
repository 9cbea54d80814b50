import type { Decision, RouterOutputs } from '@collab-spaces/client'
import { clean, cleanLine } from '../terminal/clean.js'
import type { Style } from '../terminal/style.js'
import { fields, numberedTable } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'
import { type Names, nameOf } from './participant.js'

type Counts = RouterOutputs['decision']['summary']

export const DECISION_STATUSES = ['proposed', 'resolved', 'rejected'] as const

const COLOURS = { proposed: 'yellow', resolved: 'green', rejected: 'red' } as const

const statusIn = (style: Style, status: Decision['status']) => style[COLOURS[status]](status)

/** Which decisions are listed. */
interface Filter {
  readonly space_id: string
  readonly status?: Decision['status'] | undefined
}

export function listOfDecisions(decisions: readonly Decision[], filter: Filter, names: Names, style: Style): string {
  if (decisions.length === 0) return noDecisions(filter)
  return numberedTable(style, decisions, {
    decision: ({ decision_id }) => decision_id,
    status: ({ status }) => statusIn(style, status),
    by: ({ posted_by, proposed_by }) => actorIn(names, posted_by, proposed_by),
    proposed: ({ created_at }) => relativeTime(created_at),
    text: ({ text }) => text,
  })
}

/** The actor who did something, as authenticated, and as whom. */
function actorIn(names: Names, actorId: string, claimed: string): string {
  const name = nameOf(names, actorId)
  return claimed === actorId || cleanLine(claimed) === name ? name : `${name} as ${nameOf(names, claimed)}`
}

const noDecisions = ({ space_id, status }: Filter): string =>
  status
    ? `No ${status} decisions. List all: spaces decision list ${space_id}`
    : `No decisions. Propose one: spaces decision propose ${space_id} TEXT`

export const oneDecision = (decision: Decision, names: Names, style: Style): string =>
  fields(style, [
    ['decision', style.bold(decision.decision_id)],
    ['status', statusIn(style, decision.status)],
    ['proposed', `${relativeTime(decision.created_at)} by ${actorIn(names, decision.posted_by, decision.proposed_by)}`],
    ['text', clean(decision.text)],
    ['assigned to', decision.assignees.map((actor) => nameOf(names, actor)).join(', ')],
    ['supersedes', decision.supersedes],
    ['approvals', approvalsOf(decision, names)],
    ['not counted', notCountedOf(decision, names)],
    [decision.status, settling(decision, names)],
    ['resolution', decision.resolution && clean(decision.resolution)],
    ['superseded by', decision.superseded_by],
    ['review', decision.review_at && relativeTime(decision.review_at)],
  ])

function approvalsOf({ approvals: { required, given, by, not_counted } }: Decision, names: Names): string | null {
  if (required === 0 && by.length === 0) return null
  const count = required === 0 ? String(given) : `${given} of ${required}`
  const counted = by.filter((actor) => !not_counted.some(({ actor_id }) => actor_id === actor))
  return counted.length === 0 ? count : `${count}, by ${counted.map((actor) => nameOf(names, actor)).join(', ')}`
}

const REASONS = {
  proposer: 'on the side of the proposer',
  deleted: 'deleted',
  departed: 'has left',
  disabled: 'disabled',
  stopped: 'stopped',
  same_human: 'another of the same human counts',
} as const satisfies Record<Decision['approvals']['not_counted'][number]['reason'], string>

const notCountedOf = ({ approvals: { not_counted } }: Decision, names: Names): string =>
  not_counted.map(({ actor_id, reason }) => `${nameOf(names, actor_id)} (${REASONS[reason]})`).join(', ')

function settling({ resolved_at, resolved_by, settled_by }: Decision, names: Names): string | null {
  if (resolved_at === null || resolved_by === null) return null
  return `${relativeTime(resolved_at)} by ${settled_by === null ? nameOf(names, resolved_by) : actorIn(names, settled_by, resolved_by)}`
}

export const countsOfDecisions = (counts: Counts, style: Style): string =>
  fields(
    style,
    DECISION_STATUSES.map((status) => [status, String(counts[status])]),
  )
