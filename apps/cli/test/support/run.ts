import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { eventually, Pending } from '@collab-spaces/testing'
import { expect, onTestFinished } from 'vitest'
import { environment, MAIN, type Surroundings } from './machine.js'

/** A command that has ended. */
export class Run {
  constructor(
    /** The exit code, or the signal that ended it. */
    readonly code: number | string,
    readonly stdout: string,
    readonly stderr: string,
  ) {}

  /** Standard output, which is one JSON value. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  get json(): any {
    return JSON.parse(this.stdout)
  }

  /** Standard error, which is one JSON value. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into errors of every shape
  get error(): any {
    return JSON.parse(this.stderr)
  }

  /** The lines of standard output. */
  get lines(): string[] {
    return this.stdout.split('\n').filter((line) => line !== '')
  }

  /** How it ended, and what it said about that: `expect(5, 'Space is not active')`. */
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
  /** What is piped into it; nothing but the end of the pipe when it is not given. */
  readonly stdin?: string | Uint8Array
  /** When it is killed, so that one that hangs fails its test instead of the test run. */
  readonly longestMs?: number
}

/** A command that runs in a pipe, as a script has it. */
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
    // One that does not read what it is given has its reasons.
    this.#process.stdin.on('error', () => {})
    this.#process.stdin.end(stdin)
    this.#gone = once(this.#process, 'close')
  }

  /** Waits until standard output has it. */
  async waitFor(wanted: string | RegExp): Promise<void> {
    const isThere = () => (wanted instanceof RegExp ? wanted.test(this.stdout) : this.stdout.includes(wanted))
    await eventually(() => isThere() || this.#process.exitCode !== null)
    if (!isThere()) throw new Error(`It ended without ${wanted}:\n${this.stdout}\n${this.stderr}`)
  }

  /** Waits until standard error has it. */
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

/** No usual call of a test takes this long. */
const LONGEST_MS = 60_000

/** Calls the command in a pipe, and waits for its end. */
export const spaces = (args: readonly string[], options: PipeOptions = {}): Pending<Run> =>
  new Pipe(args, options).end()

/** Calls the command in a pipe, and lets it run: it does not outlive the test. */
export function startSpaces(args: readonly string[], options: PipeOptions = {}): Pipe {
  const pipe = new Pipe(args, options)
  onTestFinished(async () => {
    pipe.kill('SIGKILL')
    await pipe.end()
  })
  return pipe
}
