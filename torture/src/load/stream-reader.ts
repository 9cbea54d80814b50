import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '@collab-spaces/testing/programs'
import type { EventIds } from './event-ids.js'
import type { Target } from './target.js'

/** The id line of a server-sent event. */
const ID = 'id: '

/** Follows the live stream of a space, and reconnects with its cursor whenever the connection breaks. */
export class StreamReader {
  readonly seen: string[] = []
  /** The events that it had seen when the server no longer knew them. */
  readonly gone: string[] = []
  /** The number of opened streams. */
  opened = 0
  #request: ClientRequest | undefined
  /** The time of its disconnect, while disconnected. */
  #closed: number | undefined
  #isOver = false
  #running: Promise<void> | undefined
  #onEvent = () => {}

  constructor(
    readonly space: string,
    private readonly target: Pick<Target, 'url' | 'key' | 'between'>,
    private readonly ids: EventIds,
    /** The event before the first one. */
    readonly after?: string,
  ) {}

  start(): this {
    this.#running = this.#follow()
    return this
  }

  /** Breaks its connection. */
  drop(): void {
    this.#request?.destroy()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.drop()
    await this.#running
  }

  /** Returns the time from this moment to the end of its last connection; infinite while connected. */
  async timeToEnd(from: number): Promise<number> {
    const isClosed = () => this.#closed
    await eventually(isClosed, 5_000).catch(() => {})
    return (this.#closed ?? Number.POSITIVE_INFINITY) - from
  }

  /** Resolves when it has seen this event, or to false on a timeout. */
  async sees(eventId: string, withinMs: number): Promise<boolean> {
    if (this.seen.at(-1) === eventId || this.seen.includes(eventId)) return true
    return new Promise((resolve) => {
      const finish = (hasSeen: boolean) => {
        clearTimeout(late)
        this.#onEvent = () => {}
        resolve(hasSeen)
      }
      const late = setTimeout(() => finish(false), withinMs)
      this.#onEvent = () => {
        if (this.seen.at(-1) === eventId) finish(true)
      }
    })
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) {
      await this.#read().catch(() => {})
      this.#closed ??= performance.now()
      await delay(this.target.between(10, 100))
    }
  }

  /** Reads one connection until it ends. */
  async #read(): Promise<void> {
    const response = await this.#open()
    if (response.statusCode !== 200) {
      response.destroy()
      // An unknown cursor: it continues after the event before.
      if (response.statusCode === 404) this.gone.push(...this.seen.splice(-1))
      return
    }
    this.opened++
    this.#closed = undefined
    let rest = ''
    response.setEncoding('utf8')
    for await (const chunk of response) {
      const frames = (rest + chunk).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) this.#take(frame)
    }
  }

  #open(): Promise<IncomingMessage> {
    const cursor = this.seen.at(-1) ?? this.after
    const { url, key } = this.target
    return new Promise((resolve, reject) => {
      this.#request = request(`${url()}/api/spaces/${this.space}/events/stream`, {
        agent: false,
        headers: { authorization: `Bearer ${key}`, ...(cursor !== undefined && { 'last-event-id': cursor }) },
      })
      this.#request.on('response', resolve).on('error', reject).end()
    })
  }

  #take(frame: string): void {
    const line = frame.slice(frame.lastIndexOf('\n') + 1)
    if (!line.startsWith(ID)) return
    this.seen.push(this.ids.get(line.slice(ID.length)))
    this.#onEvent()
  }
}
