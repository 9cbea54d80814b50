import { memoizeRows } from './memoize-rows'
import type { EventRow, Row, TranscriptRow } from './rows'

/** Shorter transcripts are not folded. */
const MIN_FOLDED = 5

interface FoldOptions {
  readonly actorId: string
  /** The IDs of events whose transcripts are open. */
  readonly opened: ReadonlySet<string>
}

/** Replaces each sequence of transcript lines by one row, followed by its lines if it is open. */
export function foldTranscripts(rows: readonly Row[], { actorId, opened }: FoldOptions): readonly Row[] {
  if (!rows.some(isLine)) return rows
  let isNew = false
  return runsIn(rows).flatMap((run): readonly Row[] => {
    const isNewBefore = isNew
    isNew ||= run.some((row) => 'isFirstUnread' in row && row.isFirstUnread)
    const [first, ...rest] = run
    if (run.length < MIN_FOLDED || !isLine(first)) return run
    const events = run.filter(isLine).map(({ event }) => event)
    const isOpen = events.some(({ event_id }) => opened.has(event_id))
    const { startsDay, isFirstUnread } = first
    const unread = (isNewBefore || isFirstUnread) && first.event.posted_by !== actorId ? events.length : 0
    const key = `transcript-${first.key}`
    const head = remembered({ kind: 'transcript', key, events, startsDay, isFirstUnread, unread, isOpen })
    // The head carries the marks of the first line.
    return isOpen ? [head, { ...first, startsDay: false, isFirstUnread: false }, ...rest] : [head]
  })
}

/** Groups the lines of each transcript. Every other row is its own group. */
function runsIn(rows: readonly Row[]): readonly Row[][] {
  const runs: Row[][] = []
  for (const row of rows) {
    const last = runs.at(-1)
    if (last && follows(last.at(-1), row)) last.push(row)
    else runs.push([row])
  }
  return runs
}

const follows = (before: Row | undefined, row: Row): boolean =>
  isLine(before) &&
  isLine(row) &&
  !row.startsDay &&
  !row.isFirstUnread &&
  (['posted_by', 'posted_by_name', 'posted_by_type'] as const).every(
    (field) => before.event[field] === row.event[field],
  )

const isLine = (row: Row | undefined): row is EventRow =>
  row?.kind === 'event' && row.event.speaker_type === 'transcript' && row.event.thread_id === null

const remembered = memoizeRows<TranscriptRow>('startsDay', 'isFirstUnread', 'unread', 'isOpen')
