import { type ActorStream, type Client, LIMITS } from '@collab-spaces/client'
import type { Connection, Said, Want } from './said'

/** The one stream of a browser, in the tab that has it: it brings what all tabs want. */
export class SharedStream {
  readonly #over = new AbortController()
  readonly #stream: ActorStream
  /** The space of each want. */
  readonly #wants = new Map<string, string>()
  /** Of each space that is followed, after which event the stream is. */
  readonly #places = new Map<string, string | null>()
  #connection: Connection = 'connecting'

  constructor(
    client: Client,
    /** Tells all tabs, and this one. */
    private readonly say: (said: Said) => void,
  ) {
    this.#stream = client.actorStream({
      signal: this.#over.signal,
      onConnect: () => this.#become('live'),
      onReconnect: () => this.#become('reconnecting'),
    })
  }

  /** Brings what there is, until it is closed or the credential ends. */
  async run(): Promise<void> {
    try {
      for await (const message of this.#stream) {
        if (message.kind === 'following') this.#places.set(message.space_id, message.since)
        if (message.kind === 'unfollowed') this.#places.delete(message.space_id)
        const spaceId = message.kind === 'context_event' ? message.event.space_id : null
        const after = spaceId === null ? null : (this.#places.get(spaceId) ?? null)
        // Of a space that is not wanted any more, something may still be on its way.
        if (message.kind === 'context_event' && this.#places.has(message.event.space_id)) {
          this.#places.set(message.event.space_id, message.event.event_id)
        }
        this.say({ type: 'brought', message, after })
      }
    } catch {
      // The calls of the page meet the same error, and show it.
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
    // Wants of tabs that were killed are never taken back.
    const [oldest] = this.#wants.keys()
    if (oldest !== undefined && new Set(this.#wants.values()).size > LIMITS.followed) this.#unwant(oldest)
    const isThere = this.#places.has(spaceId) && this.#places.get(spaceId) === since
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
    this.#places.delete(spaceId)
    this.#stream.unfollow(spaceId)
  }

  #become(connection: Connection): void {
    this.#connection = connection
    this.say({ type: 'connection', connection })
  }
}
