/**
 * Corrections and retractions: events that revise an earlier one. The log keeps all texts; what readers show of an event
 * follows from it by the rule here, whatever the order in which they learned of the revisions.
 */

/** The fields of an event that make it a revision: the id of the event whose text it corrects, or that it retracts. */
export interface Revising {
  readonly corrects?: string | undefined
  readonly retracts?: string | undefined
}

/** An event with its text, and the newest revision that a read of the log added to it. */
export interface RevisedEvent extends Revising {
  readonly event_id: string
  readonly text: string
  readonly timestamp: string
  /** When it happened, as its poster claims. Only an event of earlier has it. */
  readonly occurred_at?: string | undefined
  readonly corrected_by?: string | undefined
  readonly corrected_at?: string | undefined
  readonly current_text?: string | undefined
  readonly retracted_by?: string | undefined
}

/** Returns the id of the event that an event revises; undefined for an ordinary one. */
export const revisedId = ({ corrects, retracts }: Revising): string | undefined => corrects ?? retracts

/** What is shown of an event. `by` is the id of the revision that decided it. */
export type ShownText =
  | { readonly state: 'original'; readonly text: string }
  | { readonly state: 'edited'; readonly text: string; readonly by: string }
  | { readonly state: 'retracted'; readonly by: string }

/**
 * Returns what is shown of an event: its text, or that of the correction with the highest position. The first retraction
 * ends it. `revisions` are those of its revisions that the reader knows, in the order of the log, without a gap up to the
 * newest one. What a read of the log added to the event may be older or newer than they are.
 */
export function shownOf(event: RevisedEvent, revisions: readonly RevisedEvent[] = []): ShownText {
  const retraction = event.retracted_by ?? revisions.find(({ retracts }) => retracts !== undefined)?.event_id
  if (retraction !== undefined) return { state: 'retracted', by: retraction }
  const { corrected_by, corrected_at = '', current_text } = event
  const newest = revisions.at(-1)
  if (corrected_by !== undefined && (!newest || corrected_at > newest.timestamp)) {
    return { state: 'edited', text: current_text ?? '', by: corrected_by }
  }
  if (newest) return { state: 'edited', text: newest.text, by: newest.event_id }
  if (event.corrects !== undefined) return { state: 'edited', text: event.text, by: event.event_id }
  if (event.retracts !== undefined) return { state: 'retracted', by: event.event_id }
  return { state: 'original', text: event.text }
}

/** Returns the time to show of an event: when it happened, as its poster claims, or when it was written. */
export const shownTime = ({ occurred_at, timestamp }: Pick<RevisedEvent, 'occurred_at' | 'timestamp'>): string =>
  occurred_at ?? timestamp

/** Returns the text of an event as one line of a list shows it: of a retracted one, a mark. */
export const currentText = ({
  text,
  current_text,
  retracted_by,
}: Pick<RevisedEvent, 'text' | 'current_text' | 'retracted_by'>): string =>
  retracted_by === undefined ? (current_text ?? text) : RETRACTED_MARK

/** An event of a list, with what is shown of it. */
export interface ShownEvent<E> {
  readonly event: E
  readonly shown: ShownText
}

/**
 * Folds revisions of a list, in the order of the log, into the events that they revise. Of the revisions of an event that
 * is not in the list, the last one stands for it.
 */
export function foldRevisions<E extends RevisedEvent>(events: readonly E[]): ShownEvent<E>[] {
  const listed = new Set(events.map(({ event_id }) => event_id))
  const revisions = new Map<string, E[]>()
  for (const event of events) {
    const revised = revisedId(event)
    if (revised === undefined) continue
    const others = revisions.get(revised)
    if (others) others.push(event)
    else revisions.set(revised, [event])
  }
  return events.flatMap((event) => {
    const revised = revisedId(event)
    if (revised === undefined) return [{ event, shown: shownOf(event, revisions.get(event.event_id)) }]
    const siblings = revisions.get(revised)
    if (listed.has(revised) || siblings?.at(-1) !== event) return []
    const retraction = siblings.find(({ retracts }) => retracts !== undefined)
    return [{ event, shown: shownOf(retraction ?? event) }]
  })
}

/** How a list shows that a text is not the original one. */
export const EDITED_MARK = '(edited)'
/** How a list shows a retracted event. Its text stays in the history. */
export const RETRACTED_MARK = '(retracted)'
