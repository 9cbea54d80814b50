import { type Event, foldRevisions, revisedId, type ShownText } from '@collab-spaces/client'

/** The last result for each event, so that its row need not render again. */
const revised = new WeakMap<Event, { readonly by: string; readonly event: Event }>()

/** Returns events without the revisions of those among them, which have their newest one as a read of the log adds it. */
export function withRevisions(events: readonly Event[]): readonly Event[] {
  if (!events.some((event) => revisedId(event) !== undefined)) return events
  return foldRevisions(events).map(({ event, shown }) => asRead(event, shown))
}

function asRead(event: Event, shown: ShownText): Event {
  if (shown.state === 'original' || revisedId(event) !== undefined) return event
  const { by } = shown
  if (by === (event.retracted_by ?? event.corrected_by)) return event
  const last = revised.get(event)
  if (last?.by === by) return last.event
  const read: Event =
    shown.state === 'retracted'
      ? { ...event, retracted_by: by }
      : { ...event, corrected_by: by, current_text: shown.text }
  revised.set(event, { by, event: read })
  return read
}

/** Returns the last of the events after one, and it, that no row shows by itself. `rowIds` are the events of rows. */
export function throughRevisions(events: readonly Event[], shown: Event, rowIds: ReadonlySet<string>): Event {
  let last = events.findLastIndex(({ event_id }) => event_id === shown.event_id)
  for (let next = events[last + 1]; next && isWithoutRow(next, rowIds); next = events[last + 1]) last += 1
  return events[last] ?? shown
}

const isWithoutRow = (event: Event, rowIds: ReadonlySet<string>) =>
  revisedId(event) !== undefined && !rowIds.has(event.event_id)
