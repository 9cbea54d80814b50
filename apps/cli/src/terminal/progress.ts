import { cut, widthOf } from './cut.js'
import { columnsOf } from './prose.js'
import type { Text } from './styled.js'

/** People read no faster. */
const INTERVAL_MS = 100

/** A line on standard error that is overwritten while an operation proceeds, and cleared at its end. */
export class Progress {
  #shownAt = Number.NEGATIVE_INFINITY
  #length = 0

  constructor(private readonly isShown: boolean) {}

  show(text: Text): void {
    const now = performance.now()
    if (!this.isShown || now - this.#shownAt < INTERVAL_MS) return
    this.#shownAt = now
    // A longer line could not be overwritten.
    const line = cut(text, columnsOf(process.stderr) - 1)
    const width = widthOf(line)
    process.stderr.write(`\r${line.ansi}${' '.repeat(Math.max(0, this.#length - width))}`)
    this.#length = width
  }

  end(): void {
    if (this.#length > 0) process.stderr.write(`\r${' '.repeat(this.#length)}\r`)
    this.#length = 0
  }
}
