import { setTimeout as delay } from 'node:timers/promises'

/** Polls until the answer is true or something; one that fails has not come yet. Rejects when it never comes. */
export async function eventually<T>(ask: () => T | Promise<T>, within = 10_000): Promise<NonNullable<T>> {
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
