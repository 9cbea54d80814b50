import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { eventually } from './eventually.js'

/** Addressed by path: the server's own tests need this package, so it cannot depend on the server. */
const MAIN = fileURLToPath(new URL('../../../apps/server/dist/main.js', import.meta.url))
const READY = /is ready at (\S+) \(/
/** A progress line such as 'events: 1,234,567'. */
const PROGRESS = /^[a-z_ ]+: [\d,]+$/

/**
 * Ends a server when the test run is interrupted, which closes its end of the pipe. Workers also import this module,
 * but have no such pipe.
 */
export const END_WITH_STDIN = `data:text/javascript,
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).resume().unref()`

/** Another build, and a file for its log instead of `stderr`. */
interface Build {
  readonly main?: string
  readonly log?: number | 'pipe'
}

/** The built server in its own process group. The caller must end it. */
export class Program {
  readonly child: ChildProcess
  stdout = ''
  stderr = ''
  /** The time from its start to the line that reports it is ready. */
  readyMs: number | undefined
  readonly #gone: Promise<unknown>

  /** With words, it runs an operator command. */
  constructor(
    environment: Readonly<Record<string, string>>,
    words: readonly string[] = [],
    { main = MAIN, log = 'pipe' }: Build = {},
  ) {
    const startedAt = performance.now()
    const isServer = words.length === 0
    this.child = spawn(process.execPath, [...(isServer ? ['--import', END_WITH_STDIN] : []), main, ...words], {
      cwd: tmpdir(),
      detached: true,
      stdio: ['pipe', 'pipe', log],
      // biome-ignore lint/style/noProcessEnv: programs are found where the test run finds them, all else is given
      env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', ...environment },
    })
    this.child.stdout?.on('data', (chunk) => {
      this.stdout += chunk
      if (READY.test(this.stdout)) this.readyMs ??= performance.now() - startedAt
    })
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += chunk
    })
    this.#gone = once(this.child, 'close')
  }

  /** Its error lines for the person at the terminal, without the progress lines of long commands. */
  get complaints(): string[] {
    return this.stderr.split('\n').filter((line) => line !== '' && !PROGRESS.test(line))
  }

  get pid(): number {
    return this.child.pid as number
  }

  get isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  /** Resolves to its address, once it is ready. */
  async url(): Promise<string> {
    await eventually(() => READY.test(this.stdout) || this.isOver)
    const url = READY.exec(this.stdout)?.[1]
    if (url === undefined) throw new Error(`It did not start: ${this.stderr}`)
    return url
  }

  /** Resolves to its exit code, or the signal that ended it. */
  async end(): Promise<number | string> {
    await this.#gone
    return this.child.exitCode ?? (this.child.signalCode as string)
  }

  async kill(signal: NodeJS.Signals): Promise<number | string> {
    this.child.kill(signal)
    return this.end()
  }
}

/** Whether the system reports the memory of a process. */
export const CAN_MEASURE_MEMORY = process.platform === 'linux'

/** Returns the peak memory of a program in MiB: one call is enough, however short the peak was. */
export function peakMemory({ pid }: Program): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024
}
