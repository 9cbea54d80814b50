import { type ActorMessage, type ActorStream, type Client, LIMITS } from '@collab-spaces/client'
import type { Connection, Subscription, TabMessage } from './tab-message'

/** The pause after a connection before what it missed is fetched. The first one of a page soon also follows its space. */
const SETTLE_MS = 1_000

/** The shared stream in the tab that owns it. It follows the spaces that any tab subscribes to. */
export class SharedStream {
  readonly #over = new AbortController()
  readonly #stream: ActorStream
  /** The space of each subscription, by its ID. */
  readonly #subscriptions = new Map<string, string>()
  /** The cursor of each followed space. */
  readonly #cursors = new Map<string, string | null>()
  #connection: Connection = 'connecting'
  #settling: ReturnType<typeof setTimeout> | undefined

  constructor(
    client: Client,
    /** Sends a message to all tabs, including this one. */
    private readonly broadcast: (message: TabMessage) => void,
  ) {
    this.#stream = client.actorStream({
      signal: this.#over.signal,
      onConnect: () => {
        this.#setConnection('live')
        // Changes between two connections were not announced, also when another set of spaces made it a new one.
        clearTimeout(this.#settling)
        this.#settling = setTimeout(() => {
          this.broadcast({ type: 'forward', message: { kind: 'missed' }, after: null })
        }, SETTLE_MS)
      },
      onReconnect: () => this.#setConnection('reconnecting'),
    })
  }

  /** Forwards messages until it is closed or refused. */
  async run(): Promise<void> {
    try {
      for await (const message of this.#stream) {
        if (message.kind === 'following') this.#cursors.set(message.space_id, message.since)
        if (message.kind === 'unfollowed') this.#cursors.delete(message.space_id)
        if (message.kind === 'missed') this.#reportActs()
        const after = this.#advance(message)
        if (after !== undefined) this.broadcast({ type: 'forward', message, after })
      }
    } catch {
      // Other calls of the page fail with the same error, and show it.
    }
    if (!this.#over.signal.aborted) this.#setConnection('reconnecting')
  }

  /**
   * Returns the predecessor of an event; undefined without a known one. Events of an unfollowed space may still arrive: to
   * a view that subscribes from the beginning meanwhile, they would seem to be the first.
   */
  #advance(message: ActorMessage): string | null | undefined {
    if (message.kind !== 'context_event') return null
    const { space_id, event_id } = message.event
    const after = this.#cursors.get(space_id)
    if (after !== undefined) this.#cursors.set(space_id, event_id)
    return after
  }

  /** Views read acts apart from what `missed` refetches. */
  #reportActs(): void {
    for (const space_id of this.#cursors.keys()) {
      this.broadcast({ type: 'forward', message: { kind: 'act', space_id, decision_id: null }, after: null })
    }
  }

  close(): void {
    clearTimeout(this.#settling)
    this.#over.abort()
  }

  receive(message: TabMessage): void {
    if (message.type === 'request-connection') this.broadcast({ type: 'connection', connection: this.#connection })
    if (message.type === 'subscribe') this.#subscribe(message)
    if (message.type === 'unsubscribe') this.#unsubscribe(message.id)
  }

  #subscribe({ id, spaceId, since }: Subscription): void {
    this.#subscriptions.set(id, spaceId)
    // Crashed tabs never unsubscribe.
    const [oldest] = this.#subscriptions.keys()
    if (oldest !== undefined && new Set(this.#subscriptions.values()).size > LIMITS.followed) this.#unsubscribe(oldest)
    const isFollowed = this.#cursors.has(spaceId) && this.#cursors.get(spaceId) === since
    if (!isFollowed) this.#stream.follow(spaceId, since)
    else if (this.#connection === 'live') {
      this.broadcast({ type: 'forward', message: { kind: 'following', space_id: spaceId, since }, after: null })
    }
  }

  #unsubscribe(id: string): void {
    const spaceId = this.#subscriptions.get(id)
    if (spaceId === undefined) return
    this.#subscriptions.delete(id)
    if ([...this.#subscriptions.values()].includes(spaceId)) return
    this.#cursors.delete(spaceId)
    this.#stream.unfollow(spaceId)
  }

  #setConnection(connection: Connection): void {
    this.#connection = connection
    this.broadcast({ type: 'connection', connection })
  }
}
