import { type ByteString, textOf } from '@collab-spaces/db/byte-string'
import { attributionOf, shownTime } from '@collab-spaces/domain'
import type { SummarizedEvent, SummaryInput, SummaryLanguage } from '@collab-spaces/summarizer'
import type { Event } from '../schemas/event.js'

/** The material of a summary. */
export interface SummarySource {
  /** The events in their order, in pieces of JSON without brackets. Read once. */
  readonly pieces: AsyncIterable<ByteString>
  readonly eventCount: number
  readonly language: SummaryLanguage
  /** Reads the decisions of the window. Called when the summary's turn comes. */
  readonly readDecisions: () => Promise<WindowDecisions>
  /**
   * Throws if the texts may not leave this server. A writer that sends them elsewhere calls it before each request, as the
   * operator may forbid it during a long window.
   */
  readonly requireMayLeave: () => Promise<void>
}

/** Decisions proposed or settled in a window, and the number of further ones. */
export type WindowDecisions = Required<Pick<SummaryInput, 'decisions' | 'moreDecisions'>>

/** Writes summaries: the built-in summarizer, or a language model. */
export interface SummaryWriter {
  /** Its name, as shown in a summary. */
  readonly model: string
  /** The maximum number of concurrent summaries. */
  readonly atOnce: number
  /** Timeout of a summary in milliseconds. */
  readonly longestMs: number
  /** Returns Markdown. Rejects on failure and on abort. */
  write(source: SummarySource, signal: AbortSignal): Promise<string>
}

/** Yields the events as values, each once with its newest text. Leaves out retracted events. */
export async function* eventsOf(pieces: AsyncIterable<ByteString>): AsyncGenerator<SummarizedEvent> {
  const revised = new Set<string>()
  for await (const piece of pieces)
    for (const event of JSON.parse(`[${textOf(piece)}]`) as Event[]) {
      const { event_id, corrects, corrected_by, retracted_by, current_text: text = event.text } = event
      const isShown = (event.retracts ?? retracted_by) === undefined && !(corrects && revised.has(corrects))
      if (corrects ?? corrected_by) revised.add(corrects ?? event_id)
      if (isShown) yield Object.assign(event, { text, claim: attributionOf(event), timestamp: shownTime(event) })
    }
}
