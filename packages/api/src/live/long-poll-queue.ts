import type { Wait } from './wait.js'

/** The worst delay of a response when signals are lost. */
const SCAN_INTERVAL_MS = 1_000
/** The maximum in one statement. */
const SUBJECTS_AT_ONCE = 1_000

interface Entry<Subject> {
  readonly subject: Subject
  readonly waits: Set<Wait>
}

/**
 * Long polls by their subject, such as an inbox. A signal about the subject wakes them; in case signals are lost, one query
 * per second finds the subjects that have changed.
 */
export class LongPollQueue<Subject> {
  readonly #entries = new Map<string, Entry<Subject>>()
  #timer: NodeJS.Timeout | null = null
  #isScanning = false
  #hasAnyChanged = false

  constructor(
    private readonly keyOf: (subject: Subject) => string,
    /** Returns the subjects that have changed. */
    private readonly findChanged: (subjects: readonly Subject[]) => Promise<Subject[]>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Adds a long poll for a subject. Returns the function that removes it. */
  enter(subject: Subject, wait: Wait): () => void {
    const key = this.keyOf(subject)
    const entry = this.#entries.get(key) ?? { subject, waits: new Set() }
    this.#entries.set(key, entry)
    entry.waits.add(wait)
    this.#timer ??= setInterval(() => void this.scan(), SCAN_INTERVAL_MS).unref()
    return () => {
      entry.waits.delete(wait)
      if (entry.waits.size > 0 || this.#entries.get(key) !== entry) return
      this.#entries.delete(key)
      if (this.#entries.size > 0 || !this.#timer) return
      clearInterval(this.#timer)
      this.#timer = null
    }
  }

  /** Wakes the long polls of a subject that may have changed. */
  wake(subject: Subject): void {
    for (const wait of this.#entries.get(this.keyOf(subject))?.waits ?? []) wait.wake()
  }

  /** Wakes all long polls at the next scan, at most once a second. */
  wakeAllSoon(): void {
    this.#hasAnyChanged = true
  }

  /** Wakes the long polls whose subjects have changed in the database, which is the truth. */
  async scan(): Promise<void> {
    if (this.#hasAnyChanged) return this.#wakeAll()
    if (this.#isScanning) return
    this.#isScanning = true
    try {
      const subjects = [...this.#entries.values()].map(({ subject }) => subject)
      for (let i = 0; i < subjects.length; i += SUBJECTS_AT_ONCE) {
        for (const subject of await this.findChanged(subjects.slice(i, i + SUBJECTS_AT_ONCE))) this.wake(subject)
      }
    } catch (error) {
      // The database is unavailable; the next scan retries.
      this.onFault(error)
    } finally {
      this.#isScanning = false
    }
  }

  #wakeAll(): void {
    this.#hasAnyChanged = false
    for (const { subject } of this.#entries.values()) this.wake(subject)
  }
}
