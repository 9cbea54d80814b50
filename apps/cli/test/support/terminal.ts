import { eventually } from '@collab-spaces/testing'
import { type IPty, spawn } from '@lydell/node-pty'
import { Terminal as Emulator } from '@xterm/headless'
import { onTestFinished } from 'vitest'
import { environment, MAIN, type Surroundings } from './machine.js'

const KEYS = {
  enter: '\r',
  tab: '\t',
  escape: '\u001b',
  backspace: '\u007f',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  'ctrl-c': '\u0003',
  'ctrl-d': '\u0004',
  'ctrl-u': '\u0015',
} as const

export interface TerminalOptions extends Surroundings {
  readonly columns?: number
  readonly rows?: number
}

/** A program in a pseudoterminal. */
export class Terminal {
  /** The whole output with its escape sequences. */
  output = ''
  readonly #program: IPty
  readonly #emulator: Emulator
  readonly #gone: Promise<number>
  #isOver = false

  constructor(file: string, args: readonly string[], { columns = 100, rows = 30, ...surroundings }: TerminalOptions) {
    this.#emulator = new Emulator({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true })
    const env = { TERM: 'xterm-256color', ...environment(surroundings) }
    this.#program = spawn(file, [...args], { name: env.TERM, cols: columns, rows, cwd: env.HOME, env })
    this.#program.onData((text) => {
      this.output += text
      this.#emulator.write(text)
    })
    // Programs query the terminal for its cursor or its features.
    this.#emulator.onData((answer) => this.#program.write(answer))
    this.#gone = new Promise((resolve) => {
      this.#program.onExit(({ exitCode, signal }) => {
        this.#isOver = true
        resolve(signal ? 128 + signal : exitCode)
      })
    })
  }

  /** The text on the screen and in the scrollback, without colours. */
  get screen(): string {
    const { active } = this.#emulator.buffer
    let text = ''
    for (let row = 0; row < active.length; row++) {
      const line = active.getLine(row)
      if (row > 0 && !line?.isWrapped) text += '\n'
      text += line?.translateToString(!active.getLine(row + 1)?.isWrapped) ?? ''
    }
    return text.trimEnd()
  }

  /** Waits until the screen shows a text. */
  async waitFor(wanted: string | RegExp): Promise<void> {
    const isThere = () => (wanted instanceof RegExp ? wanted.test(this.screen) : this.screen.includes(wanted))
    await eventually(() => isThere() || this.#isOver).catch((error: Error) => {
      throw new Error(`Not on the screen: ${wanted}\n${this.screen}`, { cause: error })
    })
    if (isThere()) return
    await this.#drawn()
    if (!isThere()) throw new Error(`It ended without ${wanted}:\n${this.screen}`)
  }

  type(text: string): void {
    this.#program.write(text)
  }

  press(key: keyof typeof KEYS): void {
    this.type(KEYS[key])
  }

  /** Waits for the end of the program. Returns its exit code, or 128 plus the signal that ended it. */
  async end(): Promise<number> {
    const code = await this.#gone
    await this.#drawn()
    return code
  }

  /** Closes the terminal, as a lost connection does. */
  hangUp(): void {
    ;(this.#program as IPty & { destroy(): void }).destroy()
  }

  /** Kills the program, and closes the terminal. */
  async close(): Promise<void> {
    if (!this.#isOver) this.#program.kill('SIGKILL')
    await this.#gone
    this.#emulator.dispose()
  }

  #drawn(): Promise<void> {
    return new Promise((resolve) => this.#emulator.write('', resolve))
  }
}

/** Starts a program in a terminal, and kills it after the test. */
export function terminalWith(file: string, args: readonly string[], options: TerminalOptions = {}): Terminal {
  const terminal = new Terminal(file, args, options)
  onTestFinished(() => terminal.close())
  return terminal
}

/** Starts the command in a terminal. */
export const terminal = (args: readonly string[], options: TerminalOptions = {}): Terminal =>
  terminalWith(process.execPath, [MAIN, ...args], options)
