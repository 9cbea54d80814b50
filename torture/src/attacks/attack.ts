import type { Human } from '../service/people.js'
import type { Trial } from '../trial.js'

/** The means of an attacker: an ordinary membership of a tenant of its own, filled with what is dear to read. */
export interface Ground {
  readonly trial: Trial
  readonly url: string
  readonly mallory: Human
  /** A space with the longest events there can be, from many speakers. */
  readonly long: string
  /** The longest of its events. */
  readonly longIds: readonly string[]
  /** A space with long texts without spaces, in which most words occur. */
  readonly wordy: string
}

/** One way to cost others something. */
export interface Attack {
  readonly name: string
  /** Begins it; what it returns ends it. */
  begin(ground: Ground): () => Promise<void> | void
}
