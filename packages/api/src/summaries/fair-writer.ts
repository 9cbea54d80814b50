import { type Asker, FairLane } from '@collab-spaces/db'
import { tooLong } from '@collab-spaces/domain'
import type { SummarySource, SummaryWriter } from './writer.js'

/** Windows with more events are long. */
const LONG_EVENTS = 2_000
const MAX_WAIT_MS = 30_000

/** A writer, and those who wait for it: a few are served at a time, and short windows need not wait for long ones. */
export class FairWriter {
  readonly #short: FairLane
  readonly #long: FairLane

  constructor(private readonly writer: SummaryWriter) {
    const { atOnce } = writer
    this.#short = new FairLane({ width: atOnce, mostOfActor: atOnce, maxWaitMs: MAX_WAIT_MS })
    this.#long = new FairLane({ width: atOnce, mostOfActor: 1, maxWaitMs: MAX_WAIT_MS })
  }

  get model(): string {
    return this.writer.model
  }

  /** Rejects like the writer, and when it has to wait or takes too long. */
  write({ scope, actorId }: Asker, source: SummarySource, signal: AbortSignal): Promise<string> {
    const lane = source.eventCount > LONG_EVENTS ? this.#long : this.#short
    const whenGone = (callback: () => void) => {
      signal.addEventListener('abort', callback, { once: true })
      return () => signal.removeEventListener('abort', callback)
    }
    return lane.run({ scope, actorId, whenGone }, async () => {
      const overdue = AbortSignal.timeout(this.writer.longestMs)
      try {
        return await this.writer.write(source, AbortSignal.any([signal, overdue]))
      } catch (error) {
        throw overdue.aborted ? tooLong() : error
      }
    })
  }
}
