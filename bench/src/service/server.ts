import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const READY = / is ready at (\S+) /
const START_TIMEOUT_MS = 60_000

/** A built server as a process of its own, with its settings as they come but for the port and the data. */
export class Server {
  readonly #exited: Promise<unknown>

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** From its start as a process to the line that says it is ready. */
    readonly readyMs: number,
  ) {
    this.#exited = child.exitCode === null ? once(child, 'exit') : Promise.resolve()
  }

  /** Keeps its data and its log in the directory. */
  static async start(
    main: string,
    directory: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Server> {
    const logFile = join(directory, 'server.log')
    const log = openSync(logFile, 'a')
    const begun = performance.now()
    const child = spawn(process.execPath, [main], {
      cwd: tmpdir(),
      // A Ctrl-C is for the bench, which stops its servers in order.
      detached: true,
      stdio: ['ignore', 'pipe', log],
      env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(directory, 'data'), ...settings },
    })
    closeSync(log)
    const url = await readyLine(child).catch(async () => {
      child.kill('SIGTERM')
      throw new Error(`The server did not start: ${(await readFile(logFile, 'utf8')).slice(-2_000)}`)
    })
    return new Server(child, url, performance.now() - begun)
  }

  get pid(): number {
    return Number(this.child.pid)
  }

  /** Ends it and the PostgreSQL it runs. */
  async stop(): Promise<void> {
    this.child.kill('SIGTERM')
    await this.#exited
  }
}

/** The address in the line that says it is ready. */
function readyLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timeout = setTimeout(reject, START_TIMEOUT_MS)
    child.stdout?.on('data', (chunk) => {
      output += chunk
      const url = READY.exec(output)?.[1]
      if (url === undefined) return
      clearTimeout(timeout)
      resolve(url)
    })
    child.once('exit', () => {
      clearTimeout(timeout)
      reject()
    })
  })
}
