import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { eventually, Pending } from '@collab-spaces/testing'
import { expect, onTestFinished } from 'vitest'
import { environment, MAIN, type Surroundings } from './machine.js'

/** The result of a command. */
export class Run {
  constructor(
    /** The exit code, or the signal that ended it. */
    readonly code: number | string,
    readonly stdout: string,
    readonly stderr: string,
  ) {}

  /** Parses standard output as one JSON value. */
  // biome-ignore lint/suspicious/noExplicitAny: tests access any field
  get json(): any {
    return JSON.parse(this.stdout)
  }

  /** Parses standard error as one JSON value. */
  // biome-ignore lint/suspicious/noExplicitAny: tests access any field
  get error(): any {
    return JSON.parse(this.stderr)
  }

  /** Returns the non-empty lines of standard output. */
  get lines(): string[] {
    return this.stdout.split('\n').filter((line) => line !== '')
  }

  /** Checks the exit code and standard error: `expect(5, 'Space is not active')`. */
  expect(code: number, ...complaints: (string | RegExp)[]): this {
    expect(`${this.code} ${this.code === code ? '' : this.stderr}`).toBe(`${code} `)
    for (const complaint of complaints) {
      if (complaint instanceof RegExp) expect(this.stderr).toMatch(complaint)
      else expect(this.stderr).toContain(complaint)
    }
    return this
  }
}

export interface PipeOptions extends Surroundings {
  /** The standard input; by default empty. */
  readonly stdin?: string | Uint8Array
  /** The timeout, so that a hanging command fails its test instead of the test run. */
  readonly longestMs?: number
}

/** A command that runs in a pipe, as in a script. */
export class Pipe {
  stdout = ''
  stderr = ''
  readonly #process: ChildProcessWithoutNullStreams
  readonly #gone: Promise<unknown>

  constructor(args: readonly string[], { stdin = '', longestMs = LONGEST_MS, ...surroundings }: PipeOptions) {
    const env = environment(surroundings)
    this.#process = spawn(process.execPath, [MAIN, ...args], {
      cwd: env.HOME,
      env,
      timeout: longestMs,
      killSignal: 'SIGKILL',
    })
    this.#process.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    // A command may end without reading its input.
    this.#process.stdin.on('error', () => {})
    this.#process.stdin.end(stdin)
    this.#gone = once(this.#process, 'close')
  }

  /** Waits until standard output contains a text. */
  async waitFor(wanted: string | RegExp): Promise<void> {
    const isThere = () => (wanted instanceof RegExp ? wanted.test(this.stdout) : this.stdout.includes(wanted))
    await eventually(() => isThere() || this.#process.exitCode !== null)
    if (!isThere()) throw new Error(`It ended without ${wanted}:\n${this.stdout}\n${this.stderr}`)
  }

  /** Waits until standard error contains a text. */
  async waitForNote(wanted: string): Promise<void> {
    await eventually(() => this.stderr.includes(wanted) || this.#process.exitCode !== null)
    if (!this.stderr.includes(wanted)) throw new Error(`It ended without ${wanted}:\n${this.stderr}`)
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal)
  }

  end(): Pending<Run> {
    return new Pending(this.#end())
  }

  async #end(): Promise<Run> {
    await this.#gone
    const { exitCode, signalCode } = this.#process
    return new Run(exitCode ?? (signalCode as string), this.stdout, this.stderr)
  }
}

/** The default timeout of a command. */
const LONGEST_MS = 60_000

/** Runs the command in a pipe, and waits for its end. */
export const spaces = (args: readonly string[], options: PipeOptions = {}): Pending<Run> =>
  new Pipe(args, options).end()

/** Starts the command in a pipe, and kills it after the test. */
export function startSpaces(args: readonly string[], options: PipeOptions = {}): Pipe {
  const pipe = new Pipe(args, options)
  onTestFinished(async () => {
    pipe.kill('SIGKILL')
    await pipe.end()
  })
  return pipe
}
