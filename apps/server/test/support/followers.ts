import { setTimeout as sleep } from 'node:timers/promises'
import { bearer, type Client, type Extras } from '@collab-spaces/testing'
import { createParser } from 'eventsource-parser'

/** A client that follows its tenant to another installation. */
class Follower {
  #at: string

  constructor(protected readonly client: Client) {
    this.#at = client.url
  }

  get url(): string {
    return this.#at
  }

  /** Handles a refusal: switches to the address that it names, or waits before the next attempt. */
  protected async heed(status: number, body: string): Promise<void> {
    if (status === 421) this.#at = JSON.parse(body).location
    else if (status === 503) await sleep(50)
    else throw new Error(`${status} ${body}`)
  }
}

/** Writes events in sequence, and retries each until it is acknowledged. */
export class FollowingWriter extends Follower {
  /** Ids in the order in which they were acknowledged. */
  readonly acknowledged: string[] = []
  /** The longest time from a refusal until the next event was acknowledged, in milliseconds. */
  longestMs = 0
  isStopped = false
  readonly done: Promise<void>

  constructor(
    client: Client,
    private readonly space: string,
    private readonly name: string,
  ) {
    super(client)
    this.done = this.#write()
  }

  async #write(): Promise<void> {
    for (let n = 0; !this.isStopped; n++) {
      const extras: Extras = { headers: { 'Idempotency-Key': `${this.name}-${n}` } }
      let refusedAt: number | undefined
      for (;;) {
        const began = performance.now()
        const at = Object.assign(this.client.as(this.client.key), { url: this.url })
        const { status, text } = await at.post(`${this.space}/speech`, { text: `${this.name} ${n}` }, extras)
        if (status === 200) {
          this.acknowledged.push(JSON.parse(text).event_id)
          break
        }
        refusedAt ??= began
        await this.heed(status, text)
      }
      if (refusedAt !== undefined) this.longestMs = Math.max(this.longestMs, performance.now() - refusedAt)
    }
  }
}

/** Reads a live stream, and reconnects with its cursor whenever it ends. */
export class FollowingReader extends Follower {
  readonly ids: string[] = []
  #leave = new AbortController()
  #isClosed = false
  readonly done: Promise<void>

  constructor(
    client: Client,
    private readonly space: string,
  ) {
    super(client)
    this.done = this.#read()
  }

  close(): Promise<void> {
    this.#isClosed = true
    this.#leave.abort()
    return this.done
  }

  async #read(): Promise<void> {
    while (!this.#isClosed) {
      this.#leave = new AbortController()
      try {
        const response = await fetch(`${this.url}${this.space}/events/stream`, {
          headers: { ...bearer(this.client.key), ...(this.ids.length > 0 && { 'last-event-id': this.ids.at(-1) }) },
          signal: this.#leave.signal,
        } as RequestInit)
        if (response.status === 200) await this.#take(response)
        else await this.heed(response.status, await response.text())
      } catch (error) {
        // The connection was cut, or closed by the reader.
        if (!(error instanceof TypeError) && !this.#leave.signal.aborted) throw error
        await sleep(20)
      }
    }
  }

  async #take(response: Response): Promise<void> {
    const parser = createParser({ onEvent: ({ id }) => this.ids.push(String(id)) })
    const decoder = new TextDecoder()
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      parser.feed(decoder.decode(chunk, { stream: true }))
    }
  }
}
