import { once } from 'node:events'
import type { Settings } from '../settings.js'
import { cleanJson } from './clean.js'
import type { JsonForm } from './json.js'
import { Progress } from './progress.js'
import { columnsOf, wrappedProse } from './prose.js'
import { type Style, styleFor } from './style.js'
import { body, type Text } from './styled.js'

export interface OutputOptions {
  /** How JSON is printed; null for output that people read. */
  readonly json: JsonForm | null
  readonly coloured: boolean
  readonly pager: Settings['pager'] | null
}

/** Prints results on standard output, and everything else on standard error. */
export class Output {
  readonly style: Style
  #printed: Promise<void> = Promise.resolve()

  constructor(private readonly options: OutputOptions) {
    const { json, coloured } = options
    this.style = styleFor(coloured && json === null, () => columnsOf(process.stdout))
  }

  /** Whether a script reads the results. */
  get json(): boolean {
    return this.options.json !== null
  }

  /** Whether results are printed in another form than the one they came in. */
  get isShaped(): boolean {
    const { fields, jq, template } = this.options.json ?? {}
    return [fields, jq, template].some((given) => given !== undefined)
  }

  /** Prints a result: as JSON for scripts, rendered for people. It is printed when `finish` resolves. */
  result<T>(value: T, render: (value: T, style: Style) => Text): void {
    if (this.options.json === null) this.#line(wrappedProse(render(value, this.style), this.style.columns).ansi)
    else {
      this.#printed = Promise.all([this.#formatted(value, 2), this.#printed]).then(([text]) => this.#line(text))
      // The command learns of a failure, unless it has failed before.
      this.#printed.catch(() => {})
    }
  }

  /** Resolves when all results are printed. */
  finish(): Promise<void> {
    return this.#printed
  }

  /** The same, through the pager when it is longer than the screen of a person. */
  async longResult<T>(value: T, render: (value: T, style: Style) => Text): Promise<void> {
    if (this.json) {
      this.result(value, render)
      return this.finish()
    }
    const text = `${body(render(value, this.style)).ansi}\n`
    const { isTTY, rows } = process.stdout
    if (this.options.pager && isTTY && text.split('\n').length > rows) {
      const { showInPager } = await import('./pager.js')
      if (await showInPager(this.options.pager, text)) return
    }
    process.stdout.write(text)
  }

  /** Prints one of any number of results: as a line of JSON for scripts, rendered for people. */
  async item<T>(value: T, render: (value: T, style: Style) => Text, signal: AbortSignal): Promise<void> {
    const text = this.json ? await this.#formatted(value) : body(render(value, this.style)).ansi
    if (text !== '') await this.#piece(`${text}\n`, signal)
  }

  /**
   * Prints text for programs, such as proofs and exports, no faster than it is read. A pipe or a file gets it byte for
   * byte. A terminal gets controls and invisible characters as the escapes of JSON, which leave the values as they are.
   */
  async verbatim(pieces: AsyncIterable<Uint8Array | string> | Iterable<string>, signal?: AbortSignal): Promise<void> {
    const decoder = new TextDecoder()
    for await (const piece of pieces) {
      if (!process.stdout.isTTY) await this.#piece(piece, signal)
      else
        await this.#piece(
          cleanJson(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })),
          signal,
        )
    }
  }

  /** Prints a JSON message for a program, without waiting until it is read. */
  message(json: string): void {
    process.stdout.write(cleanJson(json))
  }

  /** The progress of a long operation, for a person at a terminal. */
  progress(): Progress {
    return new Progress(Boolean(process.stderr.isTTY) && !this.json)
  }

  /** A note for people, on standard error: what was done, what to do next. */
  note(text: Text): void {
    if (!this.json) process.stderr.write(`${wrappedProse(text, columnsOf(process.stderr)).ansi}\n`)
  }

  async #formatted(value: unknown, indent?: number): Promise<string> {
    const { formatted } = await import('./json.js')
    return formatted(value, this.options.json ?? {}, indent)
  }

  async #piece(text: string | Uint8Array, signal?: AbortSignal): Promise<void> {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain', { signal })
  }

  /** A filter may leave nothing, which is no empty line. */
  #line(text: string): void {
    if (text !== '') process.stdout.write(`${text}\n`)
  }
}
