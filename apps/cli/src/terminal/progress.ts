/** As often as a person can read it. */
const EVERY_MS = 100

/** How far a long work is: one line on standard error that is written over and over, and gone at the end. */
export class Progress {
  #shownAt = Number.NEGATIVE_INFINITY
  #length = 0

  constructor(private readonly isShown: boolean) {}

  show(text: string): void {
    const now = performance.now()
    if (!this.isShown || now - this.#shownAt < EVERY_MS) return
    this.#shownAt = now
    process.stderr.write(`\r${text.padEnd(this.#length)}`)
    this.#length = text.length
  }

  end(): void {
    if (this.#length > 0) process.stderr.write(`\r${' '.repeat(this.#length)}\r`)
    this.#length = 0
  }
}
