/** How long deliveries keep the event loop from requests, whose events they would otherwise only delay. */
const SLICE_MS = 2

/** Work that is done in steps. */
export interface Task {
  /** Does the next step; false when nothing is left to do. */
  step(): boolean
}

/**
 * Cooperative scheduling: tasks take turns, a step each, for a short slice of every turn of the event loop. So requests
 * go on however much there is to deliver, and the many readers of one space do not hold up the few of another.
 */
export class Scheduler {
  readonly #tasks = new Set<Task>()
  #isScheduled = false

  /** Runs a task from the end of this turn of the event loop on, until it has nothing left to do. */
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
    // An entry that is put back meanwhile comes again after the others.
    for (const task of this.#tasks) {
      this.#tasks.delete(task)
      if (task.step()) this.#tasks.add(task)
      if (performance.now() >= end) return
    }
  }
}
