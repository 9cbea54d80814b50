import { once } from 'node:events'
import { cleanJson } from './clean.js'
import { Progress } from './progress.js'
import { type Style, styleFor } from './style.js'

export interface OutputOptions {
  /** Only JSON on standard output. */
  readonly json: boolean
  readonly coloured: boolean
  /** The pager's command; null when nothing shall be paged. */
  readonly pager: string | null
}

/** Where results and remarks go. Results are for standard output, everything else is not. */
export class Output {
  readonly json: boolean
  readonly style: Style
  readonly #pager: string | null

  constructor({ json, coloured, pager }: OutputOptions) {
    this.json = json
    this.style = styleFor(coloured && !json)
    this.#pager = pager
  }

  /** What the command was called for: the value itself for scripts, its picture for people. */
  result<T>(value: T, picture: (value: T, style: Style) => string): void {
    this.#line(this.json ? cleanJson(JSON.stringify(value, null, 2)) : picture(value, this.style))
  }

  /** The same for what may be long: through the pager when a person reads it and it is longer than the screen. */
  async longResult<T>(value: T, picture: (value: T, style: Style) => string): Promise<void> {
    if (this.json) return this.result(value, picture)
    const text = `${picture(value, this.style)}\n`
    const { isTTY, rows } = process.stdout
    if (this.#pager && isTTY && text.split('\n').length > rows) {
      const { showInPager } = await import('./pager.js')
      if (await showInPager(this.#pager, text)) return
    }
    process.stdout.write(text)
  }

  /** One value a line, for what has no end: for scripts the JSON of it, for people its picture. */
  async item<T>(value: T, picture: (value: T, style: Style) => string, signal: AbortSignal): Promise<void> {
    await this.piece(`${this.json ? cleanJson(JSON.stringify(value)) : picture(value, this.style)}\n`, signal)
  }

  /** A piece of what may be long, no faster than whoever reads it. */
  async piece(text: string, signal: AbortSignal): Promise<void> {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain', { signal })
  }

  /** How wide a line may be; infinite where nobody looks at it. */
  get columns(): number {
    return process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY
  }

  /** How far a long work is, for the person at the terminal. */
  progress(): Progress {
    return new Progress(Boolean(process.stderr.isTTY) && !this.json)
  }

  /** A remark for the person: what was done, what comes next. Scripts do not see it. */
  note(text: string): void {
    if (!this.json) process.stderr.write(`${text}\n`)
  }

  #line(text: string): void {
    process.stdout.write(`${text}\n`)
  }
}
