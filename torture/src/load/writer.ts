import { setTimeout as delay } from 'node:timers/promises'
import type { Notes, Write } from '../checker/notes.js'
import { type Answer, type OutgoingRequest, send } from '../service/http.js'
import type { Refusals } from './refusals.js'
import type { Target } from './target.js'

/**
 * - `once` sends each event once, and never learns what became of it when there is no answer;
 * - `again` repeats a request with its Idempotency-Key until it is acknowledged, and now and then even after that;
 * - `batch` sends several events in one request, once.
 */
export const MANNERS = ['once', 'again', 'batch'] as const
export type Manner = (typeof MANNERS)[number]

/** These statuses guarantee that nothing was stored. After another 5xx, the event may be stored. */
const isRefusal = ({ status }: Answer) => status >= 400 && status < 500

/** One of this many acknowledged requests is repeated. */
const REPEATED_OF = 4

/** Writes one event after another until it is stopped, and records the answers. */
export class Writer {
  /** The longest response time, in milliseconds. */
  slowest = 0
  /** The number of repeated requests that returned another event than before. */
  doubled = 0
  #number = 0

  constructor(
    private readonly name: string,
    private readonly manner: Manner,
    private readonly target: Target,
    private readonly notes: Notes,
    private readonly refusals: Refusals,
  ) {}

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.#write(isOver)
  }

  async #write(isOver: () => boolean): Promise<void> {
    const number = this.#number++
    const { spaces, key, padding, between } = this.target
    const space = spaces[number % spaces.length] as string
    const count = this.manner === 'batch' ? between(2, 6) : 1
    const texts = Array.from({ length: count }, (_, n) => `${this.name}/${number}/${n}${padding()}`)
    const write = this.notes.begin(space, texts)
    const request = { ...this.#request(space, texts, number), key }
    do {
      const begun = performance.now()
      const answer = await send(this.target.url(), request).catch(() => null)
      this.slowest = Math.max(this.slowest, performance.now() - begun)
      if (answer?.status === 200) {
        this.notes.acknowledge(write, idsIn(answer))
        if (this.manner === 'again' && between(1, REPEATED_OF) === 1) await this.#repeat(request, answer)
        if (this.target.restMs > 0) await delay(this.target.restMs)
        return
      }
      this.#note(write, answer)
      // After a retry time it retries, but not at once.
      await delay(between(5, 40))
    } while (this.manner === 'again' && !isOver())
  }

  /**
   * Repeats a request, which must return the same event from any instance. A refusal with a retry time has no meaning
   * for that.
   */
  async #repeat(request: OutgoingRequest, { text }: Answer): Promise<void> {
    const again = await send(this.target.url(), request).catch(() => null)
    if (again?.status === 200 && again.text !== text) this.doubled++
    else if (again && again.status !== 200) this.refusals.add(again)
  }

  #request(space: string, texts: readonly string[], number: number): OutgoingRequest {
    if (this.manner === 'batch') {
      const events = texts.map((text) => ({ text, speaker_id: this.name, speaker_name: this.name }))
      return { path: `/api/spaces/${space}/events/batch`, body: { events } }
    }
    const headers = this.manner === 'again' ? { 'idempotency-key': `${this.name}/${number}` } : {}
    return { path: `/api/spaces/${space}/speech`, headers, body: { text: texts[0] } }
  }

  #note(write: Write, answer: Answer | null): void {
    if (answer === null) this.refusals.broken++
    else this.refusals.add(answer)
    // A repeated write may already be stored.
    if (answer && isRefusal(answer) && this.manner !== 'again') write.refused = true
  }
}

function idsIn({ text }: Answer): string[] {
  const written: { event_id: string }[] = [JSON.parse(text)].flat()
  return written.map(({ event_id }) => event_id)
}
