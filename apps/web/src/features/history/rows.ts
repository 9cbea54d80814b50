import { type Event, revisedId, SPOKEN_FIELDS, type SpaceAct, shownTime } from '@collab-spaces/client'
import { isSameDay } from '../../shared/time'
import type { Outgoing } from '../composer/outbox'
import { type ActRun, NO_ACTS } from './acts'
import { withRevisions } from './fold-revisions'
import type { FoldedRow } from './memoize-rows'
import { BEGINNING } from './source'

/** An event as a row of the history. */
export interface EventRow {
  readonly kind: 'event'
  readonly key: string
  readonly event: Event
  /** Whether it is the first of its day. */
  readonly startsDay: boolean
  /** Whether poster and speaker are those of the row just above, so that the name is omitted. */
  readonly isContinued: boolean
  readonly isFirstUnread: boolean
  /** The number of replies in the thread on this event, within the run. */
  readonly replies: number
}

/** A message that is being sent or has failed. */
interface OutgoingRow {
  readonly kind: 'outgoing'
  readonly key: string
  readonly outgoing: Outgoing
}

export type ProposedAct = Extract<SpaceAct, { kind: 'proposed' }>
export type SettledAct = Extract<SpaceAct, { kind: 'settled' }>

/** An act on a decision or the space. */
export interface ActRow {
  readonly kind: 'act'
  readonly key: string
  readonly act: SpaceAct
  /** The acts that follow it, where they are shown with it. */
  readonly also: readonly SpaceAct[]
  readonly startsDay: boolean
  /** The proposal of its decision, if that is in the run. */
  readonly proposal: ProposedAct | null
  /** The settlement of its decision, if that is in the run. */
  readonly outcome: SettledAct | null
  /** Whether it withdraws an approval that is in the run. */
  readonly isTakenBack: boolean
}

/**
 * Adjacent replies in one thread, as one row. New replies extend the last row or start another, so that rows never
 * move. A row whose thread continues in a later row says only that.
 */
export interface ThreadRow extends FoldedRow {
  readonly kind: 'thread'
  readonly threadId: string
  /** The number of the thread's replies in the run up to here. */
  readonly total: number
  /** Whether that is all of them: the run has the event on which the thread started. */
  readonly isWhole: boolean
  /** Whether the thread continues in a later row. */
  readonly continuesLater: boolean
}

/** Adjacent lines of a transcript by one poster, as one row that opens in place. */
export interface TranscriptRow extends FoldedRow {
  readonly kind: 'transcript'
  /** Whether its lines follow as rows. */
  readonly isOpen: boolean
}

export type Row = EventRow | ThreadRow | TranscriptRow | ActRow | OutgoingRow

interface RowsOptions {
  readonly events: readonly Event[]
  readonly acts?: ActRun
  /** Whether the run starts with the first event of the space. */
  readonly isAtStart?: boolean
  readonly outgoing: readonly Outgoing[]
  /** Whether the run ends with the newest event, so that outgoing messages follow it. */
  readonly isAtTail: boolean
  /** The last read event, or the `BEGINNING`; null if nothing is unread. */
  readonly unreadAfter: string | null
  readonly actorId: string
}

const MAX_GROUP_GAP_MS = 5 * 60_000

export function rowsOf(options: RowsOptions): readonly Row[] {
  const { events, outgoing, isAtTail, actorId } = options
  const shown = withRevisions(events)
  const replies = repliesIn(shown)
  const firstUnread = firstUnreadIn(options)?.event_id
  const items = inOrder(options, shown)
  const about = decisionsIn(items)
  const rows = items.map((item, index): Row => {
    const before = items[index - 1]
    if ('event_id' in item) return rowOf(item, before, item.event_id === firstUnread, replies.get(item.event_id) ?? 0)
    return actRowOf(item, before, about)
  })
  if (!isAtTail) return rows
  const waiting = undelivered(outgoing, events, actorId)
  return [...rows, ...waiting.map((one): Row => ({ kind: 'outgoing', key: one.key, outgoing: one }))]
}

type Item = Event | SpaceAct

const shownTimeOf = (item: Item): string => ('event_id' in item ? shownTime(item) : item.created_at)

/** The time of the order. */
const timeOf = (item: Item): string => ('event_id' in item ? item.timestamp : item.created_at)

/** Merges events and acts by time, as far as both are complete. `shown` are the events that have a row. */
function inOrder({ events, acts: run = NO_ACTS, isAtStart, isAtTail }: RowsOptions, shown: readonly Event[]) {
  const { acts, from, to } = run
  if (acts.length === 0 && from === null) return shown
  const first = isAtStart ? '' : (events[0]?.timestamp ?? '')
  const last = isAtTail ? null : (events.at(-1)?.timestamp ?? null)
  const start = from !== null && from > first ? from : first
  const end = last === null ? to : to === null || last < to ? last : to
  const isWithin = (item: Item) => timeOf(item) >= start && (end === null || timeOf(item) <= end)
  const items: Item[] = []
  let next = 0
  for (const event of shown.filter(isWithin)) {
    for (let act = acts[next]; act && act.created_at < event.timestamp; act = acts[++next]) {
      if (isWithin(act)) items.push(act)
    }
    items.push(event)
  }
  return [...items, ...acts.slice(next).filter(isWithin)]
}

/** The proposals and settlements in the run, by decision. */
interface DecisionIndex {
  readonly proposals: ReadonlyMap<string, ProposedAct>
  readonly outcomes: ReadonlyMap<string, SettledAct>
  /** The acts that withdraw an approval. */
  readonly takenBack: ReadonlySet<SpaceAct>
}

function decisionsIn(items: readonly Item[]): DecisionIndex {
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

/** Returns the first unread event by another poster: an account's own posts, and revisions, count as read. */
export function firstUnreadIn({ events, isAtStart, unreadAfter, actorId }: Reader): Event | undefined {
  if (unreadAfter === null) return undefined
  const last = events.findIndex(({ event_id }) => event_id === unreadAfter)
  const isThere = unreadAfter === BEGINNING ? isAtStart : last !== -1
  return isThere ? events.slice(last + 1).find((event) => isNews(event, actorId)) : undefined
}

const isNews = (event: Event, actorId: string) => event.posted_by !== actorId && revisedId(event) === undefined

interface MemoizedRow {
  /** The ID of the item above. A reference to it would keep all events ever read in memory. */
  readonly before: string | number | undefined
  readonly row: EventRow
}

/** The last rows: most are unchanged after a page load and need not render again. */
const memoizedRows = new WeakMap<Event, MemoizedRow>()

function rowOf(event: Event, before: Item | undefined, isFirstUnread: boolean, replies: number): EventRow {
  const last = memoizedRows.get(event)
  const idBefore = before && ('event_id' in before ? before.event_id : before.position)
  if (last?.before === idBefore && last?.row.isFirstUnread === isFirstUnread && last?.row.replies === replies) {
    return last.row
  }
  const startsDay = !before || !isSameDay(shownTimeOf(before), shownTime(event))
  const isContinued = !startsDay && !isFirstUnread && 'event_id' in before && continues(before, event)
  const row: EventRow = { kind: 'event', key: event.event_id, event, startsDay, isFirstUnread, isContinued, replies }
  memoizedRows.set(event, { before: idBefore, row })
  return row
}

const memoizedActRows = new WeakMap<SpaceAct, ActRow>()

function actRowOf(act: SpaceAct, before: Item | undefined, { proposals, outcomes, takenBack }: DecisionIndex): ActRow {
  const startsDay = !before || !isSameDay(shownTimeOf(before), act.created_at)
  const proposal = proposals.get(act.decision_id ?? '') ?? null
  const outcome = outcomes.get(act.decision_id ?? '') ?? null
  const isTakenBack = takenBack.has(act)
  const last = memoizedActRows.get(act)
  const isSame = last?.startsDay === startsDay && last.proposal === proposal && last.outcome === outcome
  if (isSame && last.isTakenBack === isTakenBack) return last
  const key = `act-${act.position}`
  const row: ActRow = { kind: 'act', key, act, also: [], startsDay, proposal, outcome, isTakenBack }
  memoizedActRows.set(act, row)
  return row
}
/** Returns a row for an event shown outside the history, with a key that differs from its row there. */
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
    Date.parse(shownTime(event)) - Date.parse(shownTime(before)) < MAX_GROUP_GAP_MS
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
 * Returns the outgoing messages without an event. The stream may deliver an event before its write is answered. Thus a
 * message in flight counts as arrived once its poster has posted the same text after it was sent.
 */
export function undelivered(
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

/** The tolerated clock skew: an event may seem older than its message. */
const MAX_CLOCK_SKEW_MS = 5_000

const isSame = (one: Outgoing, event: Event, actorId: string) =>
  event.posted_by === actorId &&
  event.text === one.text &&
  (one.startsOn ? event.parent_event_id === one.parentEventId : event.thread_id === one.threadId) &&
  Date.parse(event.timestamp) > Date.parse(one.sentAt) - MAX_CLOCK_SKEW_MS
