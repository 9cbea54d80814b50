/** Tells when somebody has said nothing for too long. */
export class Silence {
  #timer: NodeJS.Timeout | undefined
  #waits = 0

  constructor(
    private readonly ms: number,
    private readonly onSilent: () => void,
  ) {
    this.broken()
  }

  /** Something was said. */
  broken(): void {
    clearTimeout(this.#timer)
    if (this.#waits === 0) this.#timer = setTimeout(this.onSilent, this.ms)
  }

  /** While they wait for us, their silence means nothing. */
  async during<T>(wait: Promise<T>): Promise<T> {
    this.#waits++
    this.broken()
    try {
      return await wait
    } finally {
      this.#waits--
      this.broken()
    }
  }

  end(): void {
    this.#waits = Number.POSITIVE_INFINITY
    clearTimeout(this.#timer)
  }
}
