import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ConnectionOptions } from '@collab-spaces/db'
import { eventually, freePorts } from '@collab-spaces/testing/programs'

const START = fileURLToPath(new URL('../../../examples/high-availability/start.mjs', import.meta.url))
const SWITCH_OVER = fileURLToPath(new URL('../../../examples/high-availability/switch-over.mjs', import.meta.url))
/** The ports of start.mjs, relative to the first. */
const PORTS = 17
const DATABASE = 4
const FIRST_PATRONI = 5
const FIRST_ETCD = 11
const NODES = [1, 2, 3] as const
const FULL_RECOVERY_TIMEOUT_MS = 90_000

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
}

/** `examples/high-availability`, started as an operator does. Faults are injected into its processes. */
export class Example {
  said = ''
  readonly #process: ChildProcess
  #connection: ConnectionOptions | undefined

  private constructor(
    private readonly directory: string,
    private readonly port: number,
    settings: Readonly<Record<string, string>>,
  ) {
    this.#process = spawn(process.execPath, [START], {
      env: {
        // biome-ignore lint/style/noProcessEnv: programs are found where this one finds them, all else is given
        PATH: process.env.PATH,
        PORT: String(port),
        DATA_DIR: directory,
        DATABASE_POOL: '8',
        DRAIN_SECONDS: '0',
        LOG_LEVEL: 'error',
        ...settings,
      },
    })
    for (const output of [this.#process.stdout, this.#process.stderr]) {
      output?.on('data', (chunk) => {
        this.said += chunk
      })
    }
  }

  /**
   * Processes may be running even if the example never becomes ready: `begun` receives it first, so that it can be
   * stopped.
   */
  static async start(
    directory: string,
    begun: (example: Example) => void,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Example> {
    const example = new Example(directory, await freePorts(PORTS), settings)
    begun(example)
    await eventually(
      () => example.said.includes('Ready at ') || example.#process.exitCode !== null,
      FULL_RECOVERY_TIMEOUT_MS,
    )
    if (!example.said.includes('Ready at ')) throw new Error(`The example did not start: ${example.said}`)
    return example
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Returns a connection to the primary, by the path of the servers, as the role that owns the database. */
  async connection(): Promise<ConnectionOptions> {
    const { owner } = JSON.parse(await readFile(join(this.directory, 'secrets.json'), 'utf8'))
    this.#connection ??= { connectionString: `postgres://spaces:${owner}@127.0.0.1:${this.port + DATABASE}/spaces` }
    return this.#connection
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await ended
  }

  /** Returns the current processes of the servers. */
  get servers(): readonly number[] {
    return NODES.map((n) => this.#processOf(`instance${n}`))
  }

  get etcd(): readonly number[] {
    return NODES.map((n) => this.#processOf(`etcd${n}`))
  }

  get #all(): readonly number[] {
    return [...this.servers, ...this.etcd, ...NODES.map((n) => this.#processOf(`database${n}`))]
  }

  async primary(): Promise<number> {
    return this.#nodeThat('leader')
  }

  async synchronous(): Promise<number> {
    return this.#nodeThat('sync_standby')
  }

  async standbys(): Promise<readonly number[]> {
    const primary = await this.primary()
    return NODES.filter((node) => node !== primary)
  }

  /**
   * Resolves when all three nodes run and follow one primary, with a synchronous standby unless replication is
   * asynchronous.
   */
  async whole({ isSynchronous = true } = {}): Promise<void> {
    const isWhole = async () => {
      // Patroni lists a node for a while after its end.
      if (!this.#all.every(isAlive)) return false
      const members = await this.#members()
      const roles = members.map(({ role }) => role)
      return (
        members.length === NODES.length &&
        members.every(({ state }) => state === 'running' || state === 'streaming') &&
        new Set(members.map(({ timeline }) => timeline)).size === 1 &&
        roles.includes('leader') &&
        (!isSynchronous || roles.includes('sync_standby'))
      )
    }
    await eventually(isWhole, FULL_RECOVERY_TIMEOUT_MS)
  }

  /** Returns Patroni and PostgreSQL of a node, with their descendants. */
  async processesOf(node: number): Promise<number[]> {
    return (
      await Promise.all([treeOf(this.#processOf(`database${node}`)), treeOf(await this.#postmaster(node))])
    ).flat()
  }

  /** Returns the process of a standby that receives the replication stream. */
  async receiverOf(node: number): Promise<number[]> {
    return named('walreceiver', await treeOf(await this.#postmaster(node)))
  }

  /** Returns the haproxy between the servers and the primary. */
  async proxy(): Promise<number[]> {
    return named('database.cfg', await treeOf(Number(this.#process.pid)))
  }

  /** Returns the process of the etcd leader. */
  async etcdLeader(): Promise<number> {
    for (const [index, pid] of this.etcd.entries()) {
      const url = `http://127.0.0.1:${this.port + FIRST_ETCD + index}/v3/maintenance/status`
      const response = await fetch(url, { method: 'POST', body: '{}' })
      const { header, leader } = (await response.json()) as { header: { member_id: string }; leader: string }
      if (header.member_id === leader) return pid
    }
    throw new Error('etcd has no leader')
  }

  /** Changes Patroni's configuration in etcd. */
  configure(settings: Readonly<Record<string, unknown>>): Promise<string> {
    return this.#ask('PATCH', '/config', settings)
  }

  /** Runs the planned switch-over by the operator's command. */
  async switchOver(): Promise<void> {
    await promisify(execFile)(process.execPath, [SWITCH_OVER, `http://127.0.0.1:${this.port + FIRST_PATRONI}`])
  }

  async #members(): Promise<readonly Member[]> {
    return JSON.parse(await this.#ask('GET', '/cluster')).members
  }

  async #nodeThat(role: string): Promise<number> {
    const find = async () => (await this.#members()).find((member) => member.role === role)
    return Number((await eventually(find)).name.replace('database', ''))
  }

  /** Queries the first Patroni that answers. */
  async #ask(method: string, path: string, body?: unknown): Promise<string> {
    let failure: unknown
    for (const node of NODES) {
      try {
        const response = await fetch(`http://127.0.0.1:${this.port + FIRST_PATRONI + node - 1}${path}`, {
          method,
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(30_000),
        })
        const text = await response.text()
        if (response.ok) return text
        failure = new Error(`${method} ${path}: ${response.status} ${text}`)
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  #processOf(name: string): number {
    const lines = [...this.said.matchAll(new RegExp(`^${name} (?:runs|serves) \\(process (\\d+)\\)$`, 'gm'))]
    return Number(lines.at(-1)?.[1])
  }

  async #postmaster(node: number): Promise<number> {
    const file = join(this.directory, `database${node}`, 'data', 'postmaster.pid')
    return Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Returns the processes with this text in their command line. */
async function named(part: string, pids: readonly number[]): Promise<number[]> {
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.filter((_, index) => lines[index]?.includes(part))
}

/** Returns a process and its descendants, if it exists. */
async function treeOf(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => undefined)
  if (listed === undefined) return []
  const children = await Promise.all(listed.split(' ').filter(Boolean).map(Number).map(treeOf))
  return [pid, ...children.flat()]
}
