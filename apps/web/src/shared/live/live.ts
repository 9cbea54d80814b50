import { type ActorMessage, type Client, type Event, SpacesError, type StreamOptions } from '@collab-spaces/client'
import { randomKey } from '../browser/random-key'
import { restOutOfSight } from '../browser/visible'
import { Cell } from '../cell'
import type { Brought, Connection, Said, Want } from './said'
import { SharedStream } from './shared-stream'

/** The events of a space, one by one, for a view. */
interface View extends Want {
  since: string | null
  readonly arrived: Event[]
  readonly options: StreamOptions
  wake: () => void
  /** Why no more comes. */
  over: SpacesError | 'aborted' | 'credential' | null
}

/**
 * The changes for an account, as they happen. All tabs of a browser share one connection, as a browser has few of them
 * for a server: the tab that holds a lock opens it, and tells the others what arrives; when that tab is gone, another
 * one does. Browsers have locks for pages over HTTPS and on the same machine; without them, each tab in sight has its
 * own connection.
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
    /** The same in all tabs that may share. */
    private readonly name: string,
  ) {}

  /** Takes part until what it returns is called. */
  open(): () => void {
    const over = new AbortController()
    if (navigator.locks) this.#share(over.signal)
    else this.#haveOwn(over.signal)
    return () => {
      for (const view of this.#views.values()) this.#end(view, 'aborted')
      over.abort()
    }
  }

  /** Whether this tab has the stream: what is needed once for all tabs, it reads. */
  get isFirst(): boolean {
    return this.#stream !== null
  }

  /** Calls that with all that is told beside events. Returns how to stop. */
  onSignal(listener: (message: ActorMessage) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls that with what another tab has read for all. Returns how to stop. */
  onRead(reader: (queryKey: readonly unknown[], data: unknown) => void): () => void {
    this.#readers.add(reader)
    return () => this.#readers.delete(reader)
  }

  /** Gives other tabs what this one has read. */
  shareRead(queryKey: readonly unknown[], data: unknown): void {
    this.#channel?.postMessage({ type: 'read', queryKey, data } satisfies Said)
  }

  /** The events of a space after one of them, as `client.stream` gives them. */
  events(spaceId: string, options: StreamOptions) {
    const view: View = {
      type: 'want',
      id: randomKey(),
      spaceId,
      since: options.since ?? null,
      arrived: [],
      options,
      wake: () => {},
      over: null,
    }
    return {
      get endedBy() {
        return view.over === 'aborted' || view.over === 'credential' ? view.over : null
      },
      [Symbol.asyncIterator]: () => this.#read(view),
    }
  }

  async *#read(view: View): AsyncGenerator<Event> {
    const { signal } = view.options
    const leave = () => this.#end(view, 'aborted')
    signal?.addEventListener('abort', leave)
    this.#views.set(view.id, view)
    this.#say(wantOf(view))
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
    if (this.#views.delete(view.id)) this.#say({ type: 'unwant', id: view.id })
  }

  #share(over: AbortSignal): void {
    const channel = new BroadcastChannel(this.name)
    this.#channel = channel
    channel.onmessage = ({ data }: MessageEvent<Said>) => this.#hear(data)
    over.addEventListener('abort', () => channel.close())
    channel.postMessage({ type: 'hello' } satisfies Said)
    // A tab that is closed says so; one that is only left may be come back to, as it was.
    const leave = () => {
      for (const { id } of this.#views.values()) this.#say({ type: 'unwant', id })
    }
    window.addEventListener('pagehide', leave, { signal: over })
    window.addEventListener('pageshow', () => this.#wantAll(), { signal: over })
    navigator.locks
      .request(this.name, { signal: over }, () => this.#have(over))
      // It was not its turn before it left.
      .catch(() => {})
  }

  /** Has a stream of its own while the tab is in sight. */
  #haveOwn(over: AbortSignal): void {
    let own: AbortController | null = null
    const wake = () => {
      if (own) return
      own = new AbortController()
      void this.#have(own.signal)
    }
    const rest = () => {
      own?.abort()
      own = null
    }
    const stop = restOutOfSight({ wake, rest })
    over.addEventListener('abort', () => {
      stop()
      rest()
    })
  }

  /** Has the stream, until the signal fires. */
  async #have(over: AbortSignal): Promise<void> {
    const stream = new SharedStream(this.client, (said) => this.#tell(said))
    this.#stream = stream
    over.addEventListener('abort', () => stream.close())
    // Changes between the last stream and this one are not announced: all tabs read again when this one stands.
    this.#tell({ type: 'connection', connection: 'connecting' })
    this.#wantAll()
    this.#channel?.postMessage({ type: 'who' } satisfies Said)
    if (over.aborted) stream.close()
    await stream.run()
    if (this.#stream === stream) this.#stream = null
  }

  /** Says something about the stream to the tab that has it, be it this one. */
  #say(said: Said): void {
    if (this.#stream) this.#stream.hear(said)
    else this.#channel?.postMessage(said)
  }

  /** Tells all tabs what the stream has brought. */
  #tell(said: Said): void {
    this.#channel?.postMessage(said)
    this.#hear(said)
  }

  #hear(said: Said): void {
    switch (said.type) {
      case 'who':
        this.#wantAll()
        return
      case 'connection':
        this.#connected(said.connection)
        return
      case 'brought':
        this.#brought(said)
        return
      case 'read':
        for (const reader of this.#readers) reader(said.queryKey, said.data)
        return
      default:
        this.#stream?.hear(said)
    }
  }

  #wantAll(): void {
    for (const view of this.#views.values()) this.#say(wantOf(view))
  }

  #connected(connection: Connection): void {
    this.connection.set(connection)
    for (const view of this.#views.values()) {
      if (connection === 'reconnecting') view.options.onReconnect?.(null, 0)
      if (connection === 'ended') this.#end(view, 'credential')
    }
  }

  #brought({ message, after }: Brought): void {
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
    // Events are repeated for other views: only one that follows the last event of this view is new to it.
    if (message.kind !== 'context_event' || after !== view.since) return
    view.since = message.event.event_id
    view.arrived.push(message.event)
    view.wake()
  }
}

const wantOf = ({ id, spaceId, since }: View): Want => ({ type: 'want', id, spaceId, since })

const spaceOf = (message: ActorMessage) => ('space_id' in message ? message.space_id : null)
