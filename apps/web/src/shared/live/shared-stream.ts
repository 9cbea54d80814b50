import { type ActorStream, type Client, LIMITS } from '@collab-spaces/client'
import type { Connection, Said, Want } from './said'

/** The shared stream in the tab that owns it. It follows the spaces that any tab subscribes to. */
export class SharedStream {
  readonly #over = new AbortController()
  readonly #stream: ActorStream
  /** The space of each subscription, by its ID. */
  readonly #wants = new Map<string, string>()
  /** The cursor of each followed space. */
  readonly #cursors = new Map<string, string | null>()
  #connection: Connection = 'connecting'

  constructor(
    client: Client,
    /** Sends a message to all tabs, including this one. */
    private readonly say: (said: Said) => void,
  ) {
    this.#stream = client.actorStream({
      signal: this.#over.signal,
      onConnect: () => this.#become('live'),
      onReconnect: () => this.#become('reconnecting'),
    })
  }

  /** Forwards messages until it is closed or the credential ends. */
  async run(): Promise<void> {
    try {
      for await (const message of this.#stream) {
        if (message.kind === 'following') this.#cursors.set(message.space_id, message.since)
        if (message.kind === 'unfollowed') this.#cursors.delete(message.space_id)
        const spaceId = message.kind === 'context_event' ? message.event.space_id : null
        const after = spaceId === null ? null : (this.#cursors.get(spaceId) ?? null)
        // Events of an unfollowed space may still arrive.
        if (message.kind === 'context_event' && this.#cursors.has(message.event.space_id)) {
          this.#cursors.set(message.event.space_id, message.event.event_id)
        }
        this.say({ type: 'brought', message, after })
      }
    } catch {
      // Other calls of the page fail with the same error, and show it.
    }
    if (!this.#over.signal.aborted) this.#become('ended')
  }

  close(): void {
    this.#over.abort()
  }

  hear(said: Said): void {
    if (said.type === 'hello') this.say({ type: 'connection', connection: this.#connection })
    if (said.type === 'want') this.#want(said)
    if (said.type === 'unwant') this.#unwant(said.id)
  }

  #want({ id, spaceId, since }: Want): void {
    this.#wants.set(id, spaceId)
    // Crashed tabs never unsubscribe.
    const [oldest] = this.#wants.keys()
    if (oldest !== undefined && new Set(this.#wants.values()).size > LIMITS.followed) this.#unwant(oldest)
    const isThere = this.#cursors.has(spaceId) && this.#cursors.get(spaceId) === since
    if (!isThere) this.#stream.follow(spaceId, since)
    else if (this.#connection === 'live') {
      this.say({ type: 'brought', message: { kind: 'following', space_id: spaceId, since }, after: null })
    }
  }

  #unwant(id: string): void {
    const spaceId = this.#wants.get(id)
    if (spaceId === undefined) return
    this.#wants.delete(id)
    if ([...this.#wants.values()].includes(spaceId)) return
    this.#cursors.delete(spaceId)
    this.#stream.unfollow(spaceId)
  }

  #become(connection: Connection): void {
    this.#connection = connection
    this.say({ type: 'connection', connection })
  }
}
