import { freePorts, Program } from '@collab-spaces/testing/programs'

/** A built server that can be killed, frozen and started again at the same address. */
export class Instance {
  /** The current or last process. */
  program!: Program
  readonly #programs: Program[] = []

  private constructor(
    readonly url: string,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  static async at(settings: Readonly<Record<string, string>>): Promise<Instance> {
    return new Instance(`http://127.0.0.1:${await freePorts(1)}`, settings)
  }

  /** Starts it, without waiting until it is ready. */
  launch(): Program {
    this.program = new Program({ LOG_LEVEL: 'error', ...this.settings, PORT: new URL(this.url).port })
    this.#programs.push(this.program)
    return this.program
  }

  /** Resolves when it is ready. */
  async start(): Promise<void> {
    await this.launch().url()
  }

  /** Kills it. */
  async kill(): Promise<void> {
    if (this.program && !this.program.isOver) await this.program.kill('SIGKILL')
  }

  /** Returns the log line about a failed request. */
  reasonFor(requestId: string): string | undefined {
    const lines = this.#programs.flatMap(({ stderr }) => (stderr.includes(requestId) ? stderr.split('\n') : []))
    return lines.find((line) => line.includes(requestId) && line.includes('"err"'))
  }

  /** The last output of processes that ended without a signal, which none should. */
  get crashes(): string[] {
    const crashed = this.#programs.filter(({ child }) => child.exitCode)
    return crashed.map(({ child, stderr }) => `a server has ended with ${child.exitCode}: ${stderr.slice(-1_000)}`)
  }

  freeze(): void {
    this.program.child.kill('SIGSTOP')
  }

  thaw(): void {
    this.program.child.kill('SIGCONT')
  }
}
