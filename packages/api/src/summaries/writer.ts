import { type ByteString, textOf } from '@collab-spaces/db/byte-string'
import { attributionOf } from '@collab-spaces/domain'
import type { SummarizedEvent, SummaryInput } from '@collab-spaces/summarizer'
import type { Event } from '../schemas/event.js'

/** The material of a summary. */
export interface SummarySource {
  /** The events in their order, in pieces of JSON without brackets. Read once. */
  readonly pieces: AsyncIterable<ByteString>
  readonly eventCount: number
  /** Reads what was decided in the window: when its turn comes, as many may wait. */
  readonly readDecisions: () => Promise<Decided>
  /**
   * Throws when the texts may not leave this server. A writer that sends them elsewhere calls it before each request, as
   * a long window takes many, and it may be forbidden meanwhile.
   */
  readonly requireMayLeave: () => Promise<void>
}

/** Decisions that were proposed or settled in a window, and how many more of them there are. */
export type Decided = Required<Pick<SummaryInput, 'decisions' | 'moreDecisions'>>

/** Writes summaries: the built-in summarizer, or a language model. */
export interface SummaryWriter {
  /** Its name, as shown in a summary. */
  readonly model: string
  /** How many summaries it writes at a time. */
  readonly atOnce: number
  /** How long one may take, in milliseconds. */
  readonly longestMs: number
  /** Returns Markdown. Rejects if it fails, and when `signal` says that nobody wants it any more. */
  write(source: SummarySource, signal: AbortSignal): Promise<string>
}

/** The events as values. */
export async function* eventsOf(pieces: AsyncIterable<ByteString>): AsyncGenerator<SummarizedEvent> {
  for await (const piece of pieces)
    for (const event of JSON.parse(`[${textOf(piece)}]`) as Event[])
      yield Object.assign(event, { claim: attributionOf(event) })
}
