import type { QueryKey } from '@tanstack/react-query'

const MIN_INTERVAL_MS = 3_000

/** Throttles refetches by query key: the first runs immediately, repeated ones at most once per interval. */
export class Paced {
  /** Recently refetched keys, and whether to refetch again after the interval. */
  readonly #recent = new Map<string, { isAsked: boolean; readonly timer: ReturnType<typeof setTimeout> }>()

  constructor(private readonly readNow: (queryKey: QueryKey) => void) {}

  read(queryKey: QueryKey): void {
    const key = JSON.stringify(queryKey)
    const recent = this.#recent.get(key)
    if (recent) {
      recent.isAsked = true
      return
    }
    const timer = setTimeout(() => {
      const isAsked = this.#recent.get(key)?.isAsked
      this.#recent.delete(key)
      if (isAsked) this.read(queryKey)
    }, MIN_INTERVAL_MS)
    this.#recent.set(key, { isAsked: false, timer })
    this.readNow(queryKey)
  }

  stop(): void {
    for (const { timer } of this.#recent.values()) clearTimeout(timer)
    this.#recent.clear()
  }
}
