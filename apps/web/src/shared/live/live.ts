import { type ActorMessage, type Client, type Event, SpacesError, type StreamOptions } from '@collab-spaces/client'
import { randomKey } from '../browser/random-key'
import { pauseWhileHidden } from '../browser/visible'
import { Cell } from '../cell'
import { SharedStream } from './shared-stream'
import type { Connection, ForwardedMessage, Subscription, TabMessage } from './tab-message'

/** The delay before another stream after a refusal, which may pass: of a suspended tenant, or of a proxy during a deployment. */
const REFUSED_RETRY_MS = 30_000

/** A subscriber to the events of a space. */
interface View extends Subscription {
  since: string | null
  readonly arrived: Event[]
  readonly options: StreamOptions
  wake: () => void
  /** Why it ended. */
  over: SpacesError | 'aborted' | null
}

/**
 * The live changes of an account. All tabs of a browser share one stream, as browsers limit connections per server. The
 * tab that holds a Web Lock opens it and forwards messages to the other tabs; when it closes, another tab takes over.
 * Web Locks need a secure context. Without one, each visible tab opens its own stream.
 */
export class Live {
  readonly connection = new Cell<Connection>('connecting')
  readonly #views = new Map<string, View>()
  readonly #listeners = new Set<(message: ActorMessage) => void>()
  readonly #readers = new Set<(queryKey: readonly unknown[], data: unknown) => void>()
  #channel: BroadcastChannel | null = null
  #stream: SharedStream | null = null

  constructor(
    private readonly client: Client,
    /** The name of the lock and the channel: equal in all tabs that may share. */
    private readonly name: string,
  ) {}

  /** Joins the shared stream. Returns a function that leaves it. */
  open(): () => void {
    const over = new AbortController()
    if (navigator.locks) this.#share(over.signal)
    else this.#ownWhileVisible(over.signal)
    return () => {
      for (const view of this.#views.values()) this.#end(view, 'aborted')
      over.abort()
    }
  }

  /** Whether this tab owns the stream. The owner fetches data once for all tabs. */
  get ownsStream(): boolean {
    return this.#stream !== null
  }

  /** Calls the listener with all messages but events. Returns an unsubscribe function. */
  onSignal(listener: (message: ActorMessage) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls the reader with data that another tab fetched for all. Returns an unsubscribe function. */
  onRead(reader: (queryKey: readonly unknown[], data: unknown) => void): () => void {
    this.#readers.add(reader)
    return () => this.#readers.delete(reader)
  }

  /** Sends fetched data to the other tabs. */
  shareRead(queryKey: readonly unknown[], data: unknown): void {
    this.#channel?.postMessage({ type: 'read', queryKey, data } satisfies TabMessage)
  }

  /** Returns the events of a space after a cursor, like `client.stream`. */
  events(spaceId: string, options: StreamOptions): AsyncIterable<Event> {
    const view: View = {
      type: 'subscribe',
      id: randomKey(),
      spaceId,
      since: options.since ?? null,
      arrived: [],
      options,
      wake: () => {},
      over: null,
    }
    return this.#read(view)
  }

  async *#read(view: View): AsyncGenerator<Event> {
    const { signal } = view.options
    const leave = () => this.#end(view, 'aborted')
    signal?.addEventListener('abort', leave)
    this.#views.set(view.id, view)
    this.#sendToOwner(subscriptionOf(view))
    if (signal?.aborted) leave()
    try {
      for (;;) {
        yield* view.arrived.splice(0)
        if (view.over instanceof SpacesError) throw view.over
        if (view.over !== null) return
        if (view.arrived.length === 0) await new Promise<void>((resolve) => Object.assign(view, { wake: resolve }))
      }
    } finally {
      signal?.removeEventListener('abort', leave)
      this.#end(view, 'aborted')
    }
  }

  #end(view: View, why: NonNullable<View['over']>): void {
    view.over ??= why
    view.wake()
    if (this.#views.delete(view.id)) this.#sendToOwner({ type: 'unsubscribe', id: view.id })
  }

  #share(over: AbortSignal): void {
    const channel = new BroadcastChannel(this.name)
    this.#channel = channel
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#receive(data)
    over.addEventListener('abort', () => channel.close())
    channel.postMessage({ type: 'request-connection' } satisfies TabMessage)
    // A page that returns from the back/forward cache subscribes again on `pageshow`.
    const leave = () => {
      for (const { id } of this.#views.values()) this.#sendToOwner({ type: 'unsubscribe', id })
    }
    window.addEventListener('pagehide', leave, { signal: over })
    window.addEventListener('pageshow', () => this.#subscribeAll(), { signal: over })
    navigator.locks
      .request(this.name, { signal: over }, () => this.#own(over))
      // Aborted while waiting for the lock.
      .catch(() => {})
  }

  /** Opens a separate stream while the tab is visible. */
  #ownWhileVisible(over: AbortSignal): void {
    let own: AbortController | null = null
    const wake = () => {
      if (own) return
      own = new AbortController()
      void this.#own(own.signal)
    }
    const rest = () => {
      own?.abort()
      own = null
    }
    const stop = pauseWhileHidden({ wake, rest })
    over.addEventListener('abort', () => {
      stop()
      rest()
    })
  }

  /** Owns the stream until the signal aborts. */
  async #own(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const stream = new SharedStream(this.client, (message) => this.#broadcast(message))
      this.#stream = stream
      over.addEventListener('abort', () => stream.close())
      // Changes between two streams are not announced: all tabs refetch when this one connects.
      this.#broadcast({ type: 'connection', connection: 'connecting' })
      this.#subscribeAll()
      this.#channel?.postMessage({ type: 'request-subscriptions' } satisfies TabMessage)
      await stream.run()
      if (this.#stream === stream) this.#stream = null
      if (!over.aborted) await untilAborted(over, REFUSED_RETRY_MS)
    }
  }

  /** Sends a message to the owner of the stream, which may be this tab. */
  #sendToOwner(message: TabMessage): void {
    if (this.#stream) this.#stream.receive(message)
    else this.#channel?.postMessage(message)
  }

  /** Sends a message to all tabs, including this one. */
  #broadcast(message: TabMessage): void {
    this.#channel?.postMessage(message)
    this.#receive(message)
  }

  #receive(message: TabMessage): void {
    switch (message.type) {
      case 'request-subscriptions':
        this.#subscribeAll()
        return
      case 'connection':
        this.#connected(message.connection)
        return
      case 'forward':
        this.#deliver(message)
        return
      case 'read':
        for (const reader of this.#readers) reader(message.queryKey, message.data)
        return
      default:
        this.#stream?.receive(message)
    }
  }

  #subscribeAll(): void {
    for (const view of this.#views.values()) this.#sendToOwner(subscriptionOf(view))
  }

  #connected(connection: Connection): void {
    this.connection.set(connection)
    for (const view of this.#views.values()) {
      if (connection === 'reconnecting') view.options.onReconnect?.(null, 0)
    }
  }

  #deliver({ message, after }: ForwardedMessage): void {
    const spaceId = message.kind === 'context_event' ? message.event.space_id : spaceOf(message)
    for (const view of this.#views.values()) if (view.spaceId === spaceId) this.#show(view, message, after)
    if (message.kind !== 'context_event') for (const listener of this.#listeners) listener(message)
  }

  #show(view: View, message: ActorMessage, after: string | null): void {
    if (message.kind === 'following') view.options.onConnect?.()
    if (message.kind === 'act') view.options.onAct?.(message.decision_id)
    if (message.kind === 'unfollowed') {
      this.#end(view, new SpacesError({ status: 404, detail: message.detail, mayPass: false }))
    }
    // Events are resent for other views. Only one that directly follows this view's last event is new to it.
    if (message.kind !== 'context_event' || after !== view.since) return
    view.since = message.event.event_id
    view.arrived.push(message.event)
    view.wake()
  }
}

const subscriptionOf = ({ id, spaceId, since }: View): Subscription => ({ type: 'subscribe', id, spaceId, since })

/** Resolves after a delay, or when the signal aborts. */
const untilAborted = (signal: AbortSignal, ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve())
  })

const spaceOf = (message: ActorMessage) => ('space_id' in message ? message.space_id : null)
