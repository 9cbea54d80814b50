import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { eventually } from './eventually.js'

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const READY = /is ready at (\S+) \(/

/** The built server as a process of its own, in a process group of its own. It does not outlive the test. */
export class Program {
  readonly child: ChildProcess
  stdout = ''
  stderr = ''
  readonly #gone: Promise<unknown>

  constructor(environment: Record<string, string>) {
    this.child = spawn(process.execPath, [MAIN], {
      cwd: tmpdir(),
      detached: true,
      // biome-ignore lint/style/noProcessEnv: programs are found where the test run finds them, all else is given
      env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', ...environment },
    })
    this.child.stdout?.on('data', (chunk) => {
      this.stdout += chunk
    })
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += chunk
    })
    this.#gone = once(this.child, 'close')
    onTestFinished(async () => {
      this.child.kill('SIGKILL')
      await this.#gone
    })
  }

  /** The lines that it wrote for the person at the terminal about what is wrong. */
  get complaints(): string[] {
    return this.stderr.split('\n').filter((line) => line !== '')
  }

  get pid(): number {
    return this.child.pid as number
  }

  /** Its address, once it is ready. */
  async url(): Promise<string> {
    return eventually(() => {
      if (this.child.exitCode !== null) throw new Error(`It exited: ${this.stderr}`)
      return READY.exec(this.stdout)?.[1]
    }, 30_000)
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

/** A directory for data; whatever PostgreSQL still runs on it when the test is over is ended. */
export async function dataDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'spaces-faults-')))
  await chmod(directory, 0o755)
  const dataDir = join(directory, 'data')
  onTestFinished(async () => {
    const pid = await postmasterOf(dataDir)
    if (pid !== undefined) {
      process.kill(pid, 'SIGQUIT')
      await eventually(async () => (await postmasterOf(dataDir)) === undefined)
    }
    await rm(directory, { recursive: true, force: true })
  })
  return dataDir
}

/** The PostgreSQL that runs on the data. */
export async function postmasterOf(dataDir: string): Promise<number | undefined> {
  const note = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(note, 10)
  return pid > 0 && isAlive(pid) ? pid : undefined
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
