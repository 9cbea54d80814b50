import type { Human } from '../service/people.js'
import type { Trial } from '../trial.js'

/** The resources of an attacker: an ordinary member of its own tenant, with data that is expensive to read. */
export interface Ground {
  readonly trial: Trial
  readonly url: string
  readonly mallory: Human
  /** A space with the longest possible events, from many speakers. */
  readonly long: string
  /** Its longest event. */
  readonly longIds: readonly string[]
  /** A space with long texts without spaces, which contain most words. */
  readonly wordy: string
}

/** An attack on the resources of other tenants. */
export interface Attack {
  readonly name: string
  /** Starts it, and returns a function that ends it. */
  begin(ground: Ground): () => Promise<void> | void
}
