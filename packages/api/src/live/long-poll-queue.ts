import type { Wait } from './wait.js'

/** How late a request is answered at worst when no signal comes through. */
const SCAN_INTERVAL_MS = 1_000
/** In one statement. */
const SUBJECTS_AT_ONCE = 1_000

interface Place<Subject> {
  readonly subject: Subject
  readonly waits: Set<Wait>
}

/**
 * Requests that wait for one kind of thing, by what they wait for. They are woken by whoever knows that something has
 * happened; once a second, one query for all asks where something has, in case nobody said so.
 */
export class LongPollQueue<Subject> {
  readonly #places = new Map<string, Place<Subject>>()
  #timer: NodeJS.Timeout | null = null
  #isLooking = false
  #hasAnyChanged = false

  constructor(
    private readonly keyOf: (subject: Subject) => string,
    /** Picks the subjects for which something has happened. */
    private readonly look: (subjects: readonly Subject[]) => Promise<Subject[]>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Lets a request wait for a subject, until what this returns is called. */
  enter(subject: Subject, wait: Wait): () => void {
    const key = this.keyOf(subject)
    const place = this.#places.get(key) ?? { subject, waits: new Set() }
    this.#places.set(key, place)
    place.waits.add(wait)
    this.#timer ??= setInterval(() => void this.lookAtAll(), SCAN_INTERVAL_MS).unref()
    return () => {
      place.waits.delete(wait)
      if (place.waits.size > 0 || this.#places.get(key) !== place) return
      this.#places.delete(key)
      if (this.#places.size > 0 || !this.#timer) return
      clearInterval(this.#timer)
      this.#timer = null
    }
  }

  /** Something may have happened to a subject. */
  wake(subject: Subject): void {
    for (const wait of this.#places.get(this.keyOf(subject))?.waits ?? []) wait.wake()
  }

  /** Something may have happened to any of the subjects. However often that is said, they are woken once a second. */
  wakeAllSoon(): void {
    this.#hasAnyChanged = true
  }

  /** Asks the database, which is the truth, whatever became of the signals. */
  async lookAtAll(): Promise<void> {
    if (this.#hasAnyChanged) return this.#wakeAll()
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      const subjects = [...this.#places.values()].map(({ subject }) => subject)
      for (let i = 0; i < subjects.length; i += SUBJECTS_AT_ONCE) {
        for (const subject of await this.look(subjects.slice(i, i + SUBJECTS_AT_ONCE))) this.wake(subject)
      }
    } catch (error) {
      // The database is not there to ask; the next look tries again.
      this.onFault(error)
    } finally {
      this.#isLooking = false
    }
  }

  #wakeAll(): void {
    this.#hasAnyChanged = false
    for (const { subject } of this.#places.values()) this.wake(subject)
  }
}
