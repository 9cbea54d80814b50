import { setTimeout as delay } from 'node:timers/promises'
import { PATIENCE_MS } from './patience.js'

/** Polls until the result is truthy, less often the longer it takes; errors count as not yet. Rejects on a timeout. */
export async function eventually<T>(ask: () => T | Promise<T>, within = PATIENCE_MS): Promise<NonNullable<T>> {
  const start = Date.now()
  for (;;) {
    let failure: unknown
    try {
      const answer = await ask()
      if (answer) return answer
    } catch (error) {
      failure = error
    }
    const elapsed = Date.now() - start
    if (elapsed > within) throw new Error(`The condition did not hold within ${within} ms`, { cause: failure })
    await delay(20 + Math.min(elapsed / 20, 200))
  }
}
