/** Calls back after a number of milliseconds without activity. */
export class IdleTimeout {
  #timer: NodeJS.Timeout | undefined
  #waits = 0

  constructor(
    private readonly ms: number,
    private readonly onIdle: () => void,
  ) {
    this.reset()
  }

  /** Something was said. */
  reset(): void {
    clearTimeout(this.#timer)
    if (this.#waits === 0) this.#timer = setTimeout(this.onIdle, this.ms)
  }

  /** While they wait for us, their silence means nothing. */
  async during<T>(wait: Promise<T>): Promise<T> {
    this.#waits++
    this.reset()
    try {
      return await wait
    } finally {
      this.#waits--
      this.reset()
    }
  }

  end(): void {
    this.#waits = Number.POSITIVE_INFINITY
    clearTimeout(this.#timer)
  }
}
