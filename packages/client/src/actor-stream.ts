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
  /** The event after which the connection is, for each space that comes. */
  readonly #places = new Map<string, string | null>()
  /** The places from where spaces are wanted, until a connection that was asked for one has begun with it. */
  readonly #wanted = new Map<string, Set<string | null>>()
  /** The wanted places that the last connection was asked for. */
  #asked = new Set<Set<string | null>>()
  #timer: ReturnType<typeof setTimeout> | null = null

  /** @internal `client.actorStream` makes them. */
  static from(source: Source, options: LastingOptions, timing: Timing): ActorStream {
    return new ActorStream(source, options, timing)
  }

  /**
   * Sends the events of a space, too, after one of them, or all (null). Of a space that is followed already from elsewhere,
   * they come again from the earlier place.
   */
  follow(spaceId: string, since: string | null): void {
    const wanted = this.#wanted.get(spaceId)
    if (wanted ? wanted.has(since) : this.#places.has(spaceId) && this.#places.get(spaceId) === since) return
    // A set of its own: when a connection begins that was asked for the one before, this is still to be asked for.
    this.#wanted.set(spaceId, new Set(wanted).add(since))
    this.#renewSoon()
  }

  unfollow(spaceId: string): void {
    if (this.#forget(spaceId)) this.#renewSoon()
  }

  protected override query(): URLSearchParams {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#asked = new Set(this.#wanted.values())
    const follow = new Set(
      [...this.#places.keys(), ...this.#wanted.keys()].flatMap((spaceId) => this.#askedOf(spaceId)),
    )
    return new URLSearchParams(follow.size > 0 ? { follow: [...follow].join(',') } : {})
  }

  #askedOf(spaceId: string): string[] {
    const places = new Set(this.#wanted.get(spaceId))
    const place = this.#places.get(spaceId)
    if (place !== undefined) places.add(place)
    return [...places].map((since) => (since === null ? spaceId : `${spaceId}/${since}`))
  }

  protected override take({ name, data }: Message): ActorMessage {
    const message = (name === 'context_event' ? { kind: name, event: data } : data) as ActorMessage
    if (message.kind === 'context_event') this.#came(message.event.space_id, message.event.event_id)
    if (message.kind === 'following') this.#begins(message.space_id, message.since)
    if (message.kind === 'unfollowed') this.#forget(message.space_id)
    return message
  }

  #begins(spaceId: string, since: string | null): void {
    const wanted = this.#wanted.get(spaceId)
    if (wanted && this.#asked.has(wanted)) this.#wanted.delete(spaceId)
    if (wanted || this.#places.has(spaceId)) this.#places.set(spaceId, since)
  }

  /** An event of a space that is not followed any more may still be on its way. */
  #came(spaceId: string, eventId: string): void {
    if (this.#places.has(spaceId)) this.#places.set(spaceId, eventId)
  }

  #forget(spaceId: string): boolean {
    const wasWanted = this.#wanted.delete(spaceId)
    return this.#places.delete(spaceId) || wasWanted
  }

  #renewSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.renew()
    }, GATHER_MS)
  }
}
