import type { QueryKey } from '@tanstack/react-query'

const MIN_INTERVAL_MS = 3_000

/** Throttles refetches by query key: the first runs immediately, repeated ones at most once per interval. */
export class ThrottledRefetch {
  /** Recently refetched keys, and whether to refetch again after the interval. */
  readonly #recent = new Map<string, { isRequested: boolean; readonly timer: ReturnType<typeof setTimeout> }>()

  constructor(private readonly refetch: (queryKey: QueryKey) => void) {}

  request(queryKey: QueryKey): void {
    const key = JSON.stringify(queryKey)
    const recent = this.#recent.get(key)
    if (recent) {
      recent.isRequested = true
      return
    }
    const timer = setTimeout(() => {
      const isRequested = this.#recent.get(key)?.isRequested
      this.#recent.delete(key)
      if (isRequested) this.request(queryKey)
    }, MIN_INTERVAL_MS)
    this.#recent.set(key, { isRequested: false, timer })
    this.refetch(queryKey)
  }

  stop(): void {
    for (const { timer } of this.#recent.values()) clearTimeout(timer)
    this.#recent.clear()
  }
}
