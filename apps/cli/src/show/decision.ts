import { type Decision, proposerOf, type RouterOutputs, settlerOf } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { fields, numberedTable, table } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'
import { type Names, nameOf } from './participant.js'
import { posterOf } from './poster.js'

type Counts = RouterOutputs['decision']['summary']

export const DECISION_STATUSES = ['proposed', 'resolved', 'rejected'] as const

export const DECISION_FILTERS = ['waiting', 'waiting_for_me', 'in_force'] as const

/** Whether a decision can still be resolved: one that was superseded or has expired can only be rejected. */
export const isOpen = ({ status, superseded_by, is_expired }: Decision): boolean =>
  status === 'proposed' && superseded_by === null && !is_expired

const COLOURS = { proposed: 'yellow', resolved: 'green', rejected: 'red' } as const

const statusIn = (style: Style, status: Decision['status']) => style[COLOURS[status]](status)

/** Which decisions are listed. */
interface Filter {
  readonly space_id: string
  readonly status?: Decision['status'] | undefined
}

export function listOfDecisions(decisions: readonly Decision[], filter: Filter, names: Names, style: Style): Text {
  if (decisions.length === 0) return noDecisions(filter)
  return numberedTable(style, decisions, {
    decision: ({ decision_id }) => decision_id,
    status: ({ status }) => statusIn(style, status),
    by: (decision) => proposerIn(decision, names),
    proposed: ({ created_at }) => relativeTime(created_at),
    text: ({ text }) => text,
  })
}

/** Decisions of several spaces. */
export function listOfAllDecisions(decisions: readonly Decision[], names: Names, style: Style): Text {
  if (decisions.length === 0) return 'No such decisions. Without a space, only those you have joined are looked at.'
  return table(style, decisions, {
    space: ({ space_id }) => space_id,
    decision: ({ decision_id }) => decision_id,
    status: ({ status }) => statusIn(style, status),
    by: (decision) => proposerIn(decision, names),
    proposed: ({ created_at }) => relativeTime(created_at),
    text: ({ text }) => text,
  })
}

const proposerIn = (decision: Decision, names: Names): string => posterOf(proposerOf(decision, (id) => names.get(id)))

const noDecisions = ({ space_id, status }: Filter): string =>
  status
    ? `No ${status} decisions. List all: spaces decision list ${space_id}`
    : `No decisions. Propose one: spaces decision propose ${space_id} TEXT`

export const oneDecision = (decision: Decision, names: Names, style: Style): Text =>
  fields(style, [
    ['decision', style.bold(decision.decision_id)],
    ['status', statusIn(style, decision.status)],
    ['proposed', `${relativeTime(decision.created_at)} by ${proposerIn(decision, names)}`],
    ['text', decision.text],
    ['assigned to', decision.assignees.map((actor) => nameOf(names, actor)).join(', ')],
    ['supersedes', decision.supersedes],
    ['approvals', approvalsOf(decision, names)],
    ['not counted', notCountedOf(decision, names)],
    [decision.status, settling(decision, names)],
    ['resolution', decision.resolution],
    ...authorizationOf(decision, names),
    ['superseded by', decision.superseded_by],
    ['review', decision.review_at && relativeTime(decision.review_at)],
    ['thread', decision.thread_id],
  ])

/** What it authorizes, until when, and its use. */
function authorizationOf(decision: Decision, names: Names): (readonly [string, string | null])[] {
  const { action, edit, used_at, used_by, expires_at, is_expired } = decision
  const usable = edit ?? action
  return [
    ['options', optionsOf(decision)],
    ['action', action ? (action.title ?? action.type) : null],
    ['arguments', usable ? JSON.stringify(usable.arguments) : null],
    ['proposed as', edit && action ? JSON.stringify(action.arguments) : null],
    ['digest', usable?.digest ?? null],
    ['used', used_at ? `${relativeTime(used_at)} by ${nameOf(names, used_by ?? '')}` : null],
    [is_expired ? 'expired' : 'expires', expires_at && !used_at ? relativeTime(expires_at) : null],
  ]
}

/** The options, each on its line. */
function optionsOf({ options = [], option }: Decision): string | null {
  if (options.length === 0) return null
  const words = options.map(({ id, label, denies }) => {
    const marks = [id === option ? 'chosen' : [], denies ? 'denies' : []].flat().join(', ')
    return `${id}: ${label}${marks === '' ? '' : ` (${marks})`}`
  })
  return words.join('\n')
}

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

function settling(decision: Decision, names: Names): string | null {
  const settler = settlerOf(decision, (id) => names.get(id))
  return settler && `${relativeTime(decision.resolved_at)} by ${posterOf(settler)}`
}

export const countsOfDecisions = (counts: Counts, style: Style): Text =>
  fields(
    style,
    DECISION_STATUSES.map((status) => [status, String(counts[status])]),
  )
