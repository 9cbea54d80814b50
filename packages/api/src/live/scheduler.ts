/** How long deliveries may block the event loop in one turn. */
const SLICE_MS = 2

/** Work in steps. */
export interface Task {
  /** Runs the next step. Returns false when none is left. */
  step(): boolean
}

/**
 * Cooperative scheduling: tasks take turns, a step each, for a short slice of every turn of the event loop. Requests
 * continue however much there is to deliver, and the many readers of one space do not delay the few of another.
 */
export class Scheduler {
  readonly #tasks = new Set<Task>()
  #isScheduled = false

  /** Runs a task to its end, starting at the end of this turn of the event loop. */
  add(task: Task): void {
    this.#tasks.add(task)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#runSlice()
      if (this.#tasks.size > 0) this.#schedule()
    })
  }

  #runSlice(): void {
    const end = performance.now() + SLICE_MS
    // An entry that is added back comes after all other entries.
    for (const task of this.#tasks) {
      this.#tasks.delete(task)
      if (task.step()) this.#tasks.add(task)
      if (performance.now() >= end) return
    }
  }
}
