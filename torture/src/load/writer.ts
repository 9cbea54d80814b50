import { setTimeout as delay } from 'node:timers/promises'
import type { Notes, Write } from '../checker/notes.js'
import { type Answer, type Sent, send } from '../service/http.js'
import type { Refusals } from './refusals.js'
import type { Target } from './target.js'

/**
 * - `once` sends each event once, and never learns what became of it when there is no answer;
 * - `again` repeats a request with its Idempotency-Key until it is acknowledged, and now and then even after that;
 * - `batch` sends several events in one request, once.
 */
export const MANNERS = ['once', 'again', 'batch'] as const
export type Manner = (typeof MANNERS)[number]

/** Nothing of these is stored for sure. A 5xx may have been stored all the same. */
const isRefusal = ({ status }: Answer) => status >= 400 && status < 500

/** One request of so many is repeated though it was acknowledged. */
const REPEATED_OF = 4

/** Writes one event after another until it is told to stop, and notes what it was answered. */
export class Writer {
  /** The longest that it has waited for an answer, in milliseconds. */
  slowest = 0
  /** How many of its repeated requests were given another event than before. */
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
      // One that is told to come back does so, but not at once.
      await delay(between(5, 40))
    } while (this.manner === 'again' && !isOver())
  }

  /** A repeated request is given the same event, by any instance. A refusal that tells to come back says nothing. */
  async #repeat(request: Sent, { text }: Answer): Promise<void> {
    const again = await send(this.target.url(), request).catch(() => null)
    if (again?.status === 200 && again.text !== text) this.doubled++
    else if (again && again.status !== 200) this.refusals.add(again)
  }

  #request(space: string, texts: readonly string[], number: number): Sent {
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
    // A write that is sent again may be stored by then.
    if (answer && isRefusal(answer) && this.manner !== 'again') write.refused = true
  }
}

function idsIn({ text }: Answer): string[] {
  const written: { event_id: string }[] = [JSON.parse(text)].flat()
  return written.map(({ event_id }) => event_id)
}
