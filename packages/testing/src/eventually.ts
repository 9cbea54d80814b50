import { setTimeout as delay } from 'node:timers/promises'

/**
 * How long a test waits for what must come, unless it says otherwise. It is no promise of the product, only the end of
 * hope on a machine that does much else: how soon a thing comes is measured by `bench` and `torture`.
 */
export const PATIENCE_MS = 60_000

/** Polls until the answer is true or something; one that fails has not come yet. Rejects when it never comes. */
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
    if (Date.now() > deadline) throw new Error(`It did not come within ${within} ms`, { cause: failure })
    await delay(20)
  }
}
