import type { DecisionStore } from '@collab-spaces/db'
import { oneAtATime } from './one-at-a-time.js'
import type { Waits } from './waits.js'

/** How late a notice is at worst, unless very many are due. */
const LOOK_EVERY_MS = 5_000

/** Tells whom it concerns when the time for another look at a decision has come. Every server looks; each is told once. */
export class ReviewReminder {
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> = Promise.resolve()

  constructor(
    private readonly decisions: Pick<DecisionStore, 'tellOfReviews'>,
    private readonly waits: Waits,
    private readonly onFault: (error: unknown) => void,
  ) {}

  open(): void {
    this.#looking = this.#look()
    this.#timer = setInterval(() => {
      this.#looking = this.#look()
    }, LOOK_EVERY_MS).unref()
  }

  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    await this.#looking
  }

  readonly #look = oneAtATime(async () => {
    try {
      for (const owner of await this.decisions.tellOfReviews()) this.waits.inboxGrew(owner)
    } catch (error) {
      this.onFault(error)
    }
  })
}
