/** How long the client waits, in milliseconds. */
export interface Timing {
  /** Before the first repetition; it doubles from one to the next. */
  readonly firstDelay: number
  /** The longest wait before a repetition, unless the server asks a stream to wait longer. */
  readonly longestDelay: number
  /** The longest wait before a stream that worked is opened again. */
  readonly reconnect: number
  /** A connection without data for so long is dead: on a quiet stream, the server sends a comment every 15 seconds. */
  readonly silence: number
}

export const TIMING: Timing = { firstDelay: 1_000, longestDelay: 30_000, reconnect: 1_000, silence: 45_000 }

/** How much longer than needed a delay may be, so that clients that failed together do not come back together. */
const JITTER = 0.5

/** How long to wait after so many failures in a row. */
export function delayAfter(failures: number, { firstDelay, longestDelay }: Timing): number {
  const delay = Math.min(firstDelay * 2 ** (failures - 1), longestDelay / (1 + JITTER))
  return delay * (1 + Math.random() * JITTER)
}

/** Resolves after a delay, or at once when the signal fires. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
    if (signal?.aborted) done()
  })
}
