import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Program } from '@collab-spaces/testing/programs'

/** A built server process, with default settings except for the port and the data. */
export class Server {
  private constructor(
    private readonly program: Program,
    readonly url: string,
  ) {}

  /** Starts a server with its data and log in the directory. */
  static async start(
    main: string,
    directory: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Server> {
    const logFile = join(directory, 'server.log')
    const log = openSync(logFile, 'a')
    const environment = { LOG_LEVEL: 'info', DATA_DIR: join(directory, 'data'), ...settings }
    const program = new Program(environment, [], { main, log })
    closeSync(log)
    try {
      return new Server(program, await program.url())
    } catch {
      program.child.kill('SIGTERM')
      throw new Error(`The server did not start: ${(await readFile(logFile, 'utf8')).slice(-2_000)}`)
    }
  }

  get pid(): number {
    return this.program.pid
  }

  get readyMs(): number {
    return Number(this.program.readyMs)
  }

  /** Stops it and its PostgreSQL. */
  async stop(): Promise<void> {
    await this.program.kill('SIGTERM')
  }
}
