import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { endOfText } from '@collab-spaces/client'
import { AgentStream } from './stream.js'

/** How long a program that is to end may take for it. */
const END_MS = 5_000

/** As much of its last errors as is shown. */
const TAIL = 2_000

const HAS_GROUPS = process.platform !== 'win32'

/** The program of an agent, with all that it starts: a process group of its own, which ends with it. */
export class AgentProcess {
  readonly stream: AgentStream
  /** Why it ended, in words. */
  readonly ended: Promise<string>
  readonly #child: ChildProcessWithoutNullStreams
  #errors = ''

  /** The command is one of the shell. */
  constructor(command: string, env: NodeJS.ProcessEnv) {
    this.#child = spawn(command, { shell: true, detached: HAS_GROUPS, env, stdio: 'pipe' })
    this.stream = new AgentStream(this.#child.stdin, this.#child.stdout)
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = endOfText(this.#errors + text, TAIL)
    })
    // A writer to a program that has gone learns of its end.
    for (const pipe of this.#child.stdio) pipe?.on('error', () => {})
    this.ended = new Promise((resolve) => {
      this.#child.once('error', ({ message }) => resolve(`cannot be run: ${message}`))
      this.#child.once('exit', (code, signal) => {
        this.#signal('SIGKILL')
        resolve(code === null ? `was ended by ${signal}` : `ended with ${code}`)
      })
    })
  }

  /** Its last errors. */
  get lastErrors(): string {
    return this.#errors.trim()
  }

  /** Ends it. Resolves when it has ended. */
  async kill(): Promise<void> {
    this.#signal('SIGTERM')
    const timer = setTimeout(() => this.#signal('SIGKILL'), END_MS)
    await this.ended
    clearTimeout(timer)
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      if (HAS_GROUPS) process.kill(-pid, signal)
      else this.#child.kill(signal)
    } catch {
      // Nothing of it is left.
    }
  }
}
