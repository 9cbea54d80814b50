import type { Beginning } from '@collab-spaces/db'
import { type DomainError, opensSpace } from '@collab-spaces/domain'
import type { Caller } from '../procedure/credential.js'
import type { Event } from '../schemas/event.js'
import type { Signal } from '../schemas/signal.js'
import type { Services } from '../services.js'
import type { SignalListener } from './actor-hub.js'
import { EventStream } from './event-stream.js'
import type { LiveStream } from './live-stream.js'
import type { Revocable } from './revocation-watcher.js'
import type { Subscriber } from './subscription.js'

/** A message as a typed client gets it. */
export type ActorMessage = Signal | { readonly kind: 'context_event'; readonly event: Event }

/** A space whose events are wanted, and where they begin, or why they do not come. */
export interface Follow {
  readonly spaceId: string
  /** The event after which they begin. */
  readonly since: string | null
  readonly beginning: Beginning | DomainError
}

/**
 * One connection for all that an actor keeps a view of: what changes in its spaces, and the events of those that it looks
 * at. It ends with its credential; a space that it is removed from is only followed no more.
 */
export class ActorStream implements Revocable, LiveStream, SignalListener {
  /** Only there so that tRPC's clients know what a subscription gives them. */
  declare readonly [Symbol.asyncIterator]: () => AsyncIterator<ActorMessage>

  readonly isLive = true
  readonly missed: Signal = { kind: 'missed' }
  readonly #followed = new Map<string, EventStream>()
  #subscriber: Subscriber | null = null

  constructor(
    private readonly services: Pick<Services, 'hub' | 'revocations' | 'deliveries' | 'actorHub'>,
    readonly caller: Caller,
    private readonly wanted: readonly Follow[],
    /** Called when it is over, even if it was never opened. */
    private readonly onClose: () => void = () => {},
  ) {}

  open(subscriber: Subscriber): void {
    this.#subscriber = subscriber
    this.services.revocations.watch(this)
    this.services.actorHub.enter(this)
    for (const follow of this.wanted) this.#follow(follow, subscriber)
  }

  /** The spaces whose events are sent. */
  get followed(): Iterable<string> {
    return this.#followed.keys()
  }

  /** Tells what has changed, unless that is about a space that the credential does not open. */
  tell(signal: Signal): void {
    if ('space_id' in signal && !opensSpace(this.caller.limits, signal.space_id)) return
    this.#subscriber?.tell?.(signal)
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

  /** Ends all of it. */
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
    subscriber.tell?.({ kind: 'following', space_id: spaceId, since })
    // The hub of the actor tells what is done there, as it does for all its spaces.
    stream.open({
      write: (batch) => subscriber.write(batch),
      end: (reason) => (reason?.kind === 'unknown' ? this.#unfollow(spaceId, reason) : this.revoke(reason)),
      fail: (error) => subscriber.fail(error),
    })
  }

  #unfollow(spaceId: string, { detail }: DomainError): void {
    this.#followed.delete(spaceId)
    this.#subscriber?.tell?.({ kind: 'unfollowed', space_id: spaceId, detail })
  }
}
