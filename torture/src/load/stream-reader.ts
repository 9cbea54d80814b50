import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '@collab-spaces/testing/programs'
import type { EventIds } from './event-ids.js'
import type { Target } from './target.js'

/** As server-sent events name their ids. */
const ID = 'id: '

/** Follows the live stream of a space, and comes back with its cursor whenever its connection breaks. */
export class StreamReader {
  readonly seen: string[] = []
  /** How often it has opened a stream. */
  opened = 0
  #request: ClientRequest | undefined
  /** When its connection was over, while it has none. */
  #closed: number | undefined
  #isOver = false
  #running: Promise<void> | undefined
  #onEvent = () => {}

  constructor(
    readonly space: string,
    private readonly target: Pick<Target, 'url' | 'key' | 'between'>,
    private readonly ids: EventIds,
    /** The event that it begins after. */
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

  /** How long after this moment its last connection was over; more than can be waited for when it still is not. */
  async timeToEnd(from: number): Promise<number> {
    const isClosed = () => this.#closed
    await eventually(isClosed, 5_000).catch(() => {})
    return (this.#closed ?? Number.POSITIVE_INFINITY) - from
  }

  /** Resolves when it has seen this event; false when that takes too long. */
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

  /** One connection, until it ends. */
  async #read(): Promise<void> {
    const response = await this.#open()
    if (response.statusCode !== 200) {
      response.destroy()
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
