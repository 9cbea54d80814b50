import { once } from 'node:events'
import { cleanJson } from './clean.js'
import { Progress } from './progress.js'
import { type Style, styleFor } from './style.js'

export interface OutputOptions {
  /** Print JSON. */
  readonly json: boolean
  readonly coloured: boolean
  /** The command of the pager; null for none. */
  readonly pager: string | null
}

/** Prints results on standard output, and everything else on standard error. */
export class Output {
  readonly json: boolean
  readonly style: Style
  readonly #pager: string | null

  constructor({ json, coloured, pager }: OutputOptions) {
    this.json = json
    this.style = styleFor(coloured && !json)
    this.#pager = pager
  }

  /** Prints a result: as JSON for scripts, rendered for people. */
  result<T>(value: T, render: (value: T, style: Style) => string): void {
    this.#line(this.json ? cleanJson(JSON.stringify(value, null, 2)) : render(value, this.style))
  }

  /** The same, through the pager when it is longer than the screen of a person. */
  async longResult<T>(value: T, render: (value: T, style: Style) => string): Promise<void> {
    if (this.json) return this.result(value, render)
    const text = `${render(value, this.style)}\n`
    const { isTTY, rows } = process.stdout
    if (this.#pager && isTTY && text.split('\n').length > rows) {
      const { showInPager } = await import('./pager.js')
      if (await showInPager(this.#pager, text)) return
    }
    process.stdout.write(text)
  }

  /** Prints one of any number of results: as a line of JSON for scripts, rendered for people. */
  async item<T>(value: T, render: (value: T, style: Style) => string, signal: AbortSignal): Promise<void> {
    await this.piece(`${this.json ? cleanJson(JSON.stringify(value)) : render(value, this.style)}\n`, signal)
  }

  /** Prints a piece of a long text, no faster than it is read. */
  async piece(text: string, signal: AbortSignal): Promise<void> {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain', { signal })
  }

  /** The length of a line; infinite where the output is no terminal. */
  get columns(): number {
    return process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY
  }

  /** The progress of a long operation, for a person at a terminal. */
  progress(): Progress {
    return new Progress(Boolean(process.stderr.isTTY) && !this.json)
  }

  /** A note for people, on standard error: what was done, what to do next. */
  note(text: string): void {
    if (!this.json) process.stderr.write(`${text}\n`)
  }

  #line(text: string): void {
    process.stdout.write(`${text}\n`)
  }
}
