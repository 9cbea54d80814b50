/**
 * Coalesces calls of a function that scans: it never runs concurrently with itself, and calls during a run cause one more
 * run, as the current one may have scanned too early. Resolves after the last run. The function handles its own errors.
 */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let isRequestedAgain = false

  async function untilDone(): Promise<void> {
    do {
      isRequestedAgain = false
      await work()
    } while (isRequestedAgain)
    running = null
  }

  return () => {
    if (running) isRequestedAgain = true
    else running = untilDone()
    return running
  }
}
