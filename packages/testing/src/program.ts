import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { eventually } from './eventually.js'

/** By its place: the server's own tests need this package, so this package cannot depend on the server. */
const MAIN = fileURLToPath(new URL('../../../apps/server/dist/main.js', import.meta.url))
const READY = /is ready at (\S+) \(/
/** Such as 'events: 1,234,567'. */
const PROGRESS = /^[a-z_ ]+: [\d,]+$/

/**
 * A test run that is interrupted closes its end of the pipe, and must leave no server behind. Workers import it, too, but
 * have no such pipe.
 */
const END_WITH_STDIN = `data:text/javascript,
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).resume().unref()`

/** Another build than this one, and where its log goes instead of into `stderr`. */
interface Build {
  readonly main?: string
  readonly log?: number | 'pipe'
}

/** The built server as a process of its own, in a process group of its own. Its maker sees to its end. */
export class Program {
  readonly child: ChildProcess
  stdout = ''
  stderr = ''
  /** From its start as a process to the line that says it is ready. */
  readyMs: number | undefined
  readonly #gone: Promise<unknown>

  /** With words, it is a command of the operator. */
  constructor(
    environment: Readonly<Record<string, string>>,
    words: readonly string[] = [],
    { main = MAIN, log = 'pipe' }: Build = {},
  ) {
    const begun = performance.now()
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
      if (READY.test(this.stdout)) this.readyMs ??= performance.now() - begun
    })
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += chunk
    })
    this.#gone = once(this.child, 'close')
  }

  /**
   * The lines that it wrote for the person at the terminal about what is wrong. How far it is, which a command says when
   * it takes long, is not among them.
   */
  get complaints(): string[] {
    return this.stderr.split('\n').filter((line) => line !== '' && !PROGRESS.test(line))
  }

  get pid(): number {
    return this.child.pid as number
  }

  get isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  /** Its address, once it is ready. */
  async url(): Promise<string> {
    await eventually(() => READY.test(this.stdout) || this.isOver)
    const url = READY.exec(this.stdout)?.[1]
    if (url === undefined) throw new Error(`It did not start: ${this.stderr}`)
    return url
  }

  /** The code that it exited with, or the signal that ended it. */
  async end(): Promise<number | string> {
    await this.#gone
    return this.child.exitCode ?? (this.child.signalCode as string)
  }

  async kill(signal: NodeJS.Signals): Promise<number | string> {
    this.child.kill(signal)
    return this.end()
  }
}
