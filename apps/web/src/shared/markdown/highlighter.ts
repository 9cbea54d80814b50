import type { HighlightNode } from './highlight'

/** Null for code that stays plain. */
export type Colours = readonly HighlightNode[] | null

export interface HighlightRequest {
  readonly text: string
  readonly language: string
}

/** The used part of a `Worker`. It posts `ready` once, then answers each request. */
export interface HighlightWorker {
  postMessage(request: HighlightRequest): void
  terminate(): void
  onmessage: ((message: MessageEvent<Colours | 'ready'>) => void) | null
  onerror: ((error: ErrorEvent) => void) | null
}

interface Job extends HighlightRequest {
  readonly onColours: (colours: Colours) => void
}

/** The timeout of one block. Some texts would take minutes. */
export const HIGHLIGHT_TIMEOUT_MS = 200

/**
 * Highlights code blocks in a worker, one after another. A block that times out stays plain, and its worker is
 * terminated.
 */
export class Highlighter {
  readonly #waiting = new Set<Job>()
  #worker: HighlightWorker | null = null
  #isReady = false
  #current: Job | null = null
  #timeout: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly start: () => HighlightWorker) {}

  /** Returns a cancel function: blocks that scroll out of view need no highlighting. */
  highlight(text: string, language: string, onColours: (colours: Colours) => void): () => void {
    const job = { text, language, onColours }
    this.#waiting.add(job)
    this.#next()
    return () => {
      this.#waiting.delete(job)
    }
  }

  #next(): void {
    if (this.#current !== null) return
    const [job] = this.#waiting
    if (job === undefined) return
    if (this.#worker === null) this.#open()
    if (this.#worker === null || !this.#isReady) return
    this.#waiting.delete(job)
    this.#current = job
    this.#timeout = setTimeout(() => {
      this.#close()
      this.#answer(null)
    }, HIGHLIGHT_TIMEOUT_MS)
    this.#worker.postMessage({ text: job.text, language: job.language })
  }

  #answer(colours: Colours): void {
    clearTimeout(this.#timeout)
    const job = this.#current
    this.#current = null
    job?.onColours(colours)
    this.#next()
  }

  #open(): void {
    const worker = this.start()
    worker.onmessage = ({ data }) => {
      if (data !== 'ready') return this.#answer(data)
      this.#isReady = true
      this.#next()
    }
    worker.onerror = () => {
      // If the worker cannot load, such as offline, all queued blocks stay plain. The next block retries.
      if (!this.#isReady) this.#waiting.clear()
      this.#close()
      this.#answer(null)
    }
    this.#worker = worker
  }

  #close(): void {
    this.#worker?.terminate()
    this.#worker = null
    this.#isReady = false
  }
}
