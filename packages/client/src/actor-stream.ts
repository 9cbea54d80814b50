import type { Message } from './connection.js'
import { type LastingOptions, LastingStream } from './lasting-stream.js'
import type { Source } from './response.js'
import type { ActorMessage } from './router.js'
import type { Timing } from './timing.js'

/** How long calls of `follow` are gathered: each set of spaces is a connection of its own. */
const GATHER_MS = 10

/**
 * All that changes for an actor, over one connection: what `kind` says, as ids and counts, and the events of the spaces
 * that are followed, each once and in the order of its space. The stream outlives its connections. What is no event is
 * not repeated after one has broken: read again what you keep whenever a connection stands (`onConnect`), and at `missed`.
 *
 * The loop ends, and throws, as that of `SpaceStream`; a space or an event that is not there is told, as `unfollowed`. One
 * loop at a time.
 */
export class ActorStream extends LastingStream<ActorMessage> {
  /** Of each space that is followed, after which events: that which came last, and those from which it is wanted again. */
  readonly #places = new Map<string, Set<string | null>>()
  #timer: ReturnType<typeof setTimeout> | null = null

  private constructor(source: Source, options: LastingOptions, timing: Timing) {
    super(source, options, timing)
  }

  /** @internal `client.actorStream` makes them. */
  static from(source: Source, options: LastingOptions, timing: Timing): ActorStream {
    return new ActorStream(source, options, timing)
  }

  /**
   * Sends the events of a space, too, after one of them, or all (null). Of a space that is followed already from elsewhere,
   * they come again from the earlier place.
   */
  follow(spaceId: string, since: string | null): void {
    const places = this.#places.get(spaceId) ?? new Set()
    if (places.has(since) && places.size === 1) return
    this.#places.set(spaceId, places.add(since))
    this.#renewSoon()
  }

  unfollow(spaceId: string): void {
    if (this.#places.delete(spaceId)) this.#renewSoon()
  }

  protected override query(): URLSearchParams {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const follow = [...this.#places].flatMap(([spaceId, places]) =>
      [...places].map((since) => (since === null ? spaceId : `${spaceId}/${since}`)),
    )
    return new URLSearchParams(follow.length > 0 ? { follow: follow.join(',') } : {})
  }

  protected override take({ name, data }: Message): ActorMessage {
    const message = (name === 'context_event' ? { kind: name, event: data } : data) as ActorMessage
    if (message.kind === 'context_event') this.#move(message.event.space_id, message.event.event_id)
    if (message.kind === 'following') this.#move(message.space_id, message.since)
    if (message.kind === 'unfollowed') this.#places.delete(message.space_id)
    return message
  }

  #move(spaceId: string, since: string | null): void {
    if (this.#places.has(spaceId)) this.#places.set(spaceId, new Set([since]))
  }

  #renewSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.renew()
    }, GATHER_MS)
  }
}
