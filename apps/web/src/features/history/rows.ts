import { type Event, SPOKEN_FIELDS, type SpaceAct } from '@collab-spaces/client'
import { isSameDay } from '../../shared/time'
import type { Outgoing } from '../composer/outbox'
import { type ActRun, NO_ACTS } from './acts'
import type { FoldedRow } from './remembered'
import { BEGINNING } from './source'

/** A line of the history as it is shown. */
export interface EventRow {
  readonly kind: 'event'
  readonly key: string
  readonly event: Event
  /** The first of its day. */
  readonly startsDay: boolean
  /** Posted by the same actor as the same speaker just after the line above, so that the name need not stand there again. */
  readonly isContinued: boolean
  readonly isFirstUnread: boolean
  /** How many of the run were said in the thread about this event. */
  readonly replies: number
}

/** A message that is on its way, or has not made it. */
interface OutgoingRow {
  readonly kind: 'outgoing'
  readonly key: string
  readonly outgoing: Outgoing
}

export type ProposedAct = Extract<SpaceAct, { kind: 'proposed' }>
export type SettledAct = Extract<SpaceAct, { kind: 'settled' }>

/** Something that was done about a decision or the space, at its place in time. */
export interface ActRow {
  readonly kind: 'act'
  readonly key: string
  readonly act: SpaceAct
  readonly startsDay: boolean
  /** The proposal of the decision that it is about, if that is in the run. */
  readonly proposal: ProposedAct | null
  /** How that decision was settled, if that is in the run. */
  readonly outcome: SettledAct | null
  /** Whether it takes back an approval that is in the run. */
  readonly isTakenBack: boolean
}

/**
 * Replies in one thread that follow each other in the history: one row. Events that arrive continue the last row or
 * begin a new one, so rows never move; a row that the thread goes on after says only that.
 */
export interface ThreadRow extends FoldedRow {
  readonly kind: 'thread'
  readonly threadId: string
  /** How many replies of the thread the run has up to here. */
  readonly total: number
  /** Whether that is all of them: the run has the event that the thread is about. */
  readonly isWhole: boolean
  /** Whether the thread goes on in a later row. */
  readonly goesOn: boolean
}

/** Lines of a transcript that one actor posted and that follow each other in the history: one row, opened in place. */
export interface TranscriptRow extends FoldedRow {
  readonly kind: 'transcript'
  /** Whether its lines stand below it. */
  readonly isOpen: boolean
}

export type Row = EventRow | ThreadRow | TranscriptRow | ActRow | OutgoingRow

interface RowsOptions {
  readonly events: readonly Event[]
  readonly acts?: ActRun
  /** Whether the run of events reaches to the beginning. */
  readonly isAtStart?: boolean
  readonly outgoing: readonly Outgoing[]
  /** Whether the run reaches to the end, so that what is on its way comes next. */
  readonly isAtTail: boolean
  /** The last event that was read before, or the `BEGINNING`; null if nothing is unread. */
  readonly unreadAfter: string | null
  readonly actorId: string
}

const MAX_GROUP_GAP_MS = 5 * 60_000

export function rowsOf(options: RowsOptions): readonly Row[] {
  const { events, outgoing, isAtTail, actorId } = options
  const replies = repliesIn(events)
  const firstUnread = firstUnreadIn(options)
  const items = inOrder(options)
  const about = decisionsIn(items)
  const rows = items.map((item, index): Row => {
    const before = items[index - 1]
    if ('event_id' in item) return rowOf(item, before, item === firstUnread, replies.get(item.event_id) ?? 0)
    return actRowOf(item, before, about)
  })
  if (!isAtTail) return rows
  const waiting = unarrived(outgoing, events, actorId)
  return [...rows, ...waiting.map((one): Row => ({ kind: 'outgoing', key: one.key, outgoing: one }))]
}

type Item = Event | SpaceAct

const timeOf = (item: Item): string => ('event_id' in item ? item.timestamp : item.created_at)

/** Events and acts in the order of their times, as far as both are known without gaps. */
function inOrder({ events, acts: run = NO_ACTS, isAtStart, isAtTail }: RowsOptions): readonly Item[] {
  const { acts, from, to } = run
  if (acts.length === 0 && from === null) return events
  const first = isAtStart ? '' : (events[0]?.timestamp ?? '')
  const last = isAtTail ? null : (events.at(-1)?.timestamp ?? null)
  const start = from !== null && from > first ? from : first
  const end = last === null ? to : to === null || last < to ? last : to
  const isWithin = (item: Item) => timeOf(item) >= start && (end === null || timeOf(item) <= end)
  const items: Item[] = []
  let next = 0
  for (const event of events.filter(isWithin)) {
    for (let act = acts[next]; act && act.created_at < event.timestamp; act = acts[++next]) {
      if (isWithin(act)) items.push(act)
    }
    items.push(event)
  }
  return [...items, ...acts.slice(next).filter(isWithin)]
}

/** The proposals of decisions, and how they were settled. */
interface About {
  readonly proposals: ReadonlyMap<string, ProposedAct>
  readonly outcomes: ReadonlyMap<string, SettledAct>
  /** The acts that take an approval back. */
  readonly takenBack: ReadonlySet<SpaceAct>
}

function decisionsIn(items: readonly Item[]): About {
  const proposals = new Map<string, ProposedAct>()
  const outcomes = new Map<string, SettledAct>()
  const approving = new Set<string>()
  const takenBack = new Set<SpaceAct>()
  for (const item of items) {
    if ('event_id' in item) continue
    if (item.kind === 'proposed') proposals.set(item.decision_id, item)
    if (item.kind === 'settled') outcomes.set(item.decision_id, item)
    if (item.kind !== 'reviewed') continue
    const approval = `${item.decision_id} ${item.actor_id}`
    if (item.verdict === 'approve') approving.add(approval)
    else if (approving.delete(approval)) takenBack.add(item)
  }
  return { proposals, outcomes, takenBack }
}

type Reader = Pick<RowsOptions, 'events' | 'isAtStart' | 'unreadAfter' | 'actorId'>

/** The first that somebody else has said since: one has read what one says oneself. */
export function firstUnreadIn({ events, isAtStart, unreadAfter, actorId }: Reader): Event | undefined {
  if (unreadAfter === null) return undefined
  const last = events.findIndex(({ event_id }) => event_id === unreadAfter)
  const isThere = unreadAfter === BEGINNING ? isAtStart : last !== -1
  return isThere ? events.slice(last + 1).find(({ posted_by }) => posted_by !== actorId) : undefined
}

interface Made {
  /** By its id: what is kept of one event must not keep the one before it, and so all that were ever read. */
  readonly before: string | number | undefined
  readonly row: EventRow
}

/** The lines as they were last made: most are the same again when a page has come, and need not be rendered anew. */
const made = new WeakMap<Event, Made>()

function rowOf(event: Event, before: Item | undefined, isFirstUnread: boolean, replies: number): EventRow {
  const last = made.get(event)
  const idBefore = before && ('event_id' in before ? before.event_id : before.position)
  if (last?.before === idBefore && last?.row.isFirstUnread === isFirstUnread && last?.row.replies === replies) {
    return last.row
  }
  const startsDay = !before || !isSameDay(timeOf(before), event.timestamp)
  const isContinued = !startsDay && !isFirstUnread && 'event_id' in before && continues(before, event)
  const row: EventRow = { kind: 'event', key: event.event_id, event, startsDay, isFirstUnread, isContinued, replies }
  made.set(event, { before: idBefore, row })
  return row
}

const madeOfActs = new WeakMap<SpaceAct, ActRow>()

function actRowOf(act: SpaceAct, before: Item | undefined, { proposals, outcomes, takenBack }: About): ActRow {
  const startsDay = !before || !isSameDay(timeOf(before), act.created_at)
  const proposal = proposals.get(act.decision_id ?? '') ?? null
  const outcome = outcomes.get(act.decision_id ?? '') ?? null
  const isTakenBack = takenBack.has(act)
  const last = madeOfActs.get(act)
  const isSame = last?.startsDay === startsDay && last.proposal === proposal && last.outcome === outcome
  if (isSame && last.isTakenBack === isTakenBack) return last
  const row: ActRow = { kind: 'act', key: `act-${act.position}`, act, startsDay, proposal, outcome, isTakenBack }
  madeOfActs.set(act, row)
  return row
}
/** An event as a line by itself, outside of a history: it may stand there at the same time. */
export const lineOf = (event: Event, place: string): EventRow => ({
  kind: 'event',
  key: `${place}-${event.event_id}`,
  event,
  startsDay: false,
  isContinued: false,
  isFirstUnread: false,
  replies: 0,
})

function continues(before: Event, event: Event): boolean {
  return (
    SPOKEN_FIELDS.every((field) => before[field] === event[field]) &&
    before.thread_id === event.thread_id &&
    (event.parent_event_id === null || event.parent_event_id === before.parent_event_id) &&
    Date.parse(event.timestamp) - Date.parse(before.timestamp) < MAX_GROUP_GAP_MS
  )
}

function repliesIn(events: readonly Event[]): ReadonlyMap<string, number> {
  const replies = new Map<string, number>()
  for (const { thread_id, parent_event_id } of events) {
    if (thread_id === null || parent_event_id === null) continue
    replies.set(parent_event_id, (replies.get(parent_event_id) ?? 0) + 1)
  }
  return replies
}

/**
 * Messages that have not come back as events. The stream may deliver an event before the answer to its write is here, so one
 * under way counts as arrived once somebody with the same credential has said the same after it was sent.
 */
export function unarrived(
  outgoing: readonly Outgoing[],
  events: readonly Event[],
  actorId: string,
): readonly Outgoing[] {
  if (outgoing.length === 0) return outgoing
  const taken = new Set<string>()
  return outgoing.filter((one) => {
    const arrived = events.findLast(
      (event) =>
        !taken.has(event.event_id) &&
        (one.eventId === null
          ? one.state === 'sending' && isSame(one, event, actorId)
          : event.event_id === one.eventId),
    )
    if (arrived) taken.add(arrived.event_id)
    return !arrived
  })
}

/** Clocks differ: an event may seem to be a little older than what it was made of. */
const CLOCKS_DIFFER_MS = 5_000

const isSame = (one: Outgoing, event: Event, actorId: string) =>
  event.posted_by === actorId &&
  event.text === one.text &&
  (one.startsOn ? event.parent_event_id === one.startsOn.eventId : event.thread_id === one.threadId) &&
  Date.parse(event.timestamp) > Date.parse(one.sentAt) - CLOCKS_DIFFER_MS
