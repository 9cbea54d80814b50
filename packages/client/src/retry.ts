import { aborted, SpacesError } from './error.js'
import type { Home } from './home.js'
import { delayAfter, pause, type Timing } from './timing.js'

/** How many times a request is sent at most when it may be repeated. */
const MAX_ATTEMPTS = 5

/** Called before each wait for another attempt, with what went wrong. */
export type OnRetry = (error: SpacesError, delayMs: number) => void

/** How requests are repeated, and followed to another installation. */
export interface RetryPolicy {
  readonly home: Home
  readonly timing: Timing
  readonly onRetry?: OnRetry | undefined
}

interface Repeatable extends RetryPolicy {
  /** Whether the request may be sent more than once. */
  readonly isRepeatable: boolean
  readonly signal: AbortSignal | undefined
}

/**
 * The outcome of a request, repeated after a 5xx and when no answer came. Fails with the last error, and as soon as
 * `signal` fires.
 */
export async function withRetries<T>(send: () => Promise<T>, options: Repeatable): Promise<T> {
  const { home, timing, onRetry, isRepeatable, signal } = options
  const attempts = isRepeatable ? MAX_ATTEMPTS : 1
  for (let failures = 0; ; ) {
    if (signal?.aborted) throw aborted(signal)
    try {
      return await home.reach(send)
    } catch (error) {
      if (signal?.aborted) throw aborted(signal)
      failures += 1
      if (failures === attempts || !isWorthRetrying(error)) throw error
      const delay = Math.max(delayAfter(failures, timing), error.retryAfterMs ?? 0)
      if (delay > timing.longestDelay) throw error
      onRetry?.(error, delay)
      await pause(delay, signal)
    }
  }
}

/** The caller has to know about a 4xx, even if it may pass. */
const isWorthRetrying = (error: unknown): error is SpacesError =>
  error instanceof SpacesError && error.mayPass && (error.status === null || error.status >= 500)
