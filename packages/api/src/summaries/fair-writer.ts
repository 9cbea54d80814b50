import { tooLong } from '@collab-spaces/domain'
import { type FairKey, FairLimiter } from '@collab-spaces/fair'
import type { SummarySource, SummaryWriter } from './writer.js'

/** Windows with more events are long. */
const LONG_EVENTS = 2_000
const MAX_WAIT_MS = 30_000

/** A writer with its fair queue: a few summaries run at a time, and short windows do not wait for long ones. */
export class FairWriter {
  readonly #short: FairLimiter
  readonly #long: FairLimiter

  constructor(private readonly writer: SummaryWriter) {
    const { atOnce } = writer
    this.#short = new FairLimiter({ width: atOnce, maxPerHuman: atOnce, maxWaitMs: MAX_WAIT_MS })
    this.#long = new FairLimiter({ width: atOnce, maxPerHuman: 1, maxWaitMs: MAX_WAIT_MS })
  }

  get model(): string {
    return this.writer.model
  }

  /** Rejects like the writer, and at the timeouts of waiting and writing. */
  write(fairKey: FairKey, source: SummarySource, signal: AbortSignal): Promise<string> {
    const limiter = source.eventCount > LONG_EVENTS ? this.#long : this.#short
    const whenGone = (callback: () => void) => {
      signal.addEventListener('abort', callback, { once: true })
      return () => signal.removeEventListener('abort', callback)
    }
    return limiter.run({ fairKey, whenGone }, async () => {
      const overdue = AbortSignal.timeout(this.writer.longestMs)
      try {
        return await this.writer.write(source, AbortSignal.any([signal, overdue]))
      } catch (error) {
        throw overdue.aborted ? tooLong() : error
      }
    })
  }
}
