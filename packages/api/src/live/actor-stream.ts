import type { Beginning } from '@collab-spaces/db'
import { type DomainError, opensSpace } from '@collab-spaces/domain'
import type { Caller } from '../procedure/credential.js'
import type { Event } from '../schemas/event.js'
import type { Signal } from '../schemas/signal.js'
import type { Services } from '../services.js'
import type { SignalListener } from './actor-hub.js'
import { EventStream } from './event-stream.js'
import type { Revocable } from './revocation-watcher.js'
import type { LiveStream, Subscriber } from './subscription.js'

/** A message as a typed client receives it. */
export type ActorMessage = Signal | { readonly kind: 'context_event'; readonly event: Event }

/** A space to follow, with the start of its events or the refusal. */
export interface Follow {
  readonly spaceId: string
  /** The event after which they start. */
  readonly since: string | null
  readonly beginning: Beginning | DomainError
}

/**
 * One connection for everything an actor displays: the changes of its spaces, and the events of those that it follows. It
 * ends with its credential; removal from a space only ends following that space.
 */
export class ActorStream implements Revocable, LiveStream, SignalListener {
  /** Declared only so that tRPC's clients know the type of a subscription. */
  declare readonly [Symbol.asyncIterator]: () => AsyncIterator<ActorMessage>

  readonly isLive = true
  readonly missed: Signal = { kind: 'missed' }
  readonly #followed = new Map<string, EventStream>()
  #subscriber: Subscriber | null = null

  constructor(
    private readonly services: Pick<Services, 'hub' | 'revocations' | 'deliveries' | 'actorHub'>,
    readonly caller: Caller,
    private readonly wanted: readonly Follow[],
    /** Called when it ends, even if it was never opened. */
    private readonly onClose: () => void = () => {},
  ) {}

  open(subscriber: Subscriber): void {
    this.#subscriber = subscriber
    this.services.revocations.watch(this)
    this.services.actorHub.enter(this)
    for (const follow of this.wanted) this.#follow(follow, subscriber)
  }

  /** The spaces whose events it carries. */
  get followed(): Iterable<string> {
    return this.#followed.keys()
  }

  /** Sends a signal, unless it is about a space that the credential does not open. */
  send(signal: Signal): void {
    if ('space_id' in signal && !opensSpace(this.caller.limits, signal.space_id)) return
    this.#subscriber?.send?.(signal)
  }

  resume(): void {
    for (const stream of this.#followed.values()) stream.resume()
  }

  close(): void {
    for (const stream of this.#followed.values()) stream.close()
    this.#followed.clear()
    this.services.actorHub.leave(this)
    this.services.revocations.unwatch(this)
    this.onClose()
  }

  /** Ends the whole stream. */
  revoke(reason: DomainError | null): void {
    const subscriber = this.#subscriber
    this.#subscriber = null
    this.close()
    subscriber?.end(reason)
  }

  #follow({ spaceId, since, beginning }: Follow, subscriber: Subscriber): void {
    if (!('space' in beginning)) {
      this.#unfollow(spaceId, beginning)
      return
    }
    const stream = new EventStream(this.services, this.caller, beginning)
    this.#followed.set(spaceId, stream)
    subscriber.send?.({ kind: 'following', space_id: spaceId, since })
    // The actor hub signals the acts there, as for all spaces of the actor.
    stream.open({
      write: (batch) => subscriber.write(batch),
      end: (reason) => (reason?.kind === 'unknown' ? this.#unfollow(spaceId, reason) : this.revoke(reason)),
      fail: (error) => subscriber.fail(error),
    })
  }

  #unfollow(spaceId: string, { detail }: DomainError): void {
    this.#followed.delete(spaceId)
    this.#subscriber?.send?.({ kind: 'unfollowed', space_id: spaceId, detail })
  }
}
