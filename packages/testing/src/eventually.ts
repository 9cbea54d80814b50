import { setTimeout as delay } from 'node:timers/promises'
import { PATIENCE_MS } from './patience.js'

/** Polls until the result is truthy; errors count as not yet. Rejects on a timeout. */
export async function eventually<T>(ask: () => T | Promise<T>, within = PATIENCE_MS): Promise<NonNullable<T>> {
  const deadline = Date.now() + within
  for (;;) {
    let failure: unknown
    try {
      const answer = await ask()
      if (answer) return answer
    } catch (error) {
      failure = error
    }
    if (Date.now() > deadline) throw new Error(`The condition did not hold within ${within} ms`, { cause: failure })
    await delay(20)
  }
}
