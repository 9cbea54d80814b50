import type { Message } from './connection.js'
import { type LastingOptions, LastingStream } from './lasting-stream.js'
import type { Source } from './response.js'
import type { Event } from './router.js'
import type { Timing } from './timing.js'

/** The beginning of a stream, its end, and who is told about its connections. */
export interface StreamOptions extends LastingOptions {
  /** The id of an event: only what comes after it. Without one, the stream begins with the history. */
  readonly since?: string | undefined
  /**
   * Called when something was done about a decision, or about the space itself (null): `space.acts` has it then. What is
   * done while there is no connection is not told.
   */
  readonly onAct?: ((decisionId: string | null) => void) | undefined
  /**
   * Called when the reactions to an event have changed, or to any (null): `reaction.list` has them then. What changes while
   * there is no connection is not told.
   */
  readonly onReaction?: ((eventId: string | null) => void) | undefined
}

/**
 * The events of a space, first the history and then live, each once and in the order of the space. The stream outlives
 * its connections: when one breaks, it continues after its cursor, however long that takes. Events are read only when
 * they are asked for, so a slow loop costs no memory.
 *
 * The loop ends when the signal fires or the credential ends; `endedBy` tells which. It throws a `SpacesError` when
 * the server refuses the stream: no valid credential to begin with (401), no such space or no such event (404).
 *
 * One loop at a time. After `break`, the next loop continues after the cursor.
 */
export class SpaceStream extends LastingStream<Event> {
  #cursor: string | null

  private constructor(
    source: Source,
    private readonly options: StreamOptions,
    timing: Timing,
  ) {
    super(source, options, timing)
    this.#cursor = options.since ?? null
  }

  /** @internal `client.stream` makes them. */
  static from(source: Source, options: StreamOptions, timing: Timing): SpaceStream {
    return new SpaceStream(source, options, timing)
  }

  /** The id of the event that was returned last, at first `since`: where another stream would continue. */
  get cursor(): string | null {
    return this.#cursor
  }

  protected override query(): URLSearchParams {
    return new URLSearchParams({
      ...(this.#cursor !== null && { since: this.#cursor }),
      ...(this.options.onAct && { acts: 'true' }),
      ...(this.options.onReaction && { reactions: 'true' }),
    })
  }

  protected override take({ name, data }: Message): Event | undefined {
    if (name === 'act') this.options.onAct?.((data as { readonly decision_id: string | null }).decision_id)
    if (name === 'reaction') this.options.onReaction?.((data as { readonly event_id: string | null }).event_id)
    if (name === 'missed') {
      this.options.onAct?.(null)
      this.options.onReaction?.(null)
    }
    if (name !== 'context_event') return undefined
    const event = data as Event
    this.#cursor = event.event_id
    return event
  }
}
