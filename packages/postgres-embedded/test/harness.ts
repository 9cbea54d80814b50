import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { type ConnectionOptions, type EmbeddedPostgres, startEmbedded } from '../src/index.js'

export const isRoot = process.getuid?.() === 0

/** Creates a directory for one test, which every account may pass through. */
export async function scratch(): Promise<string> {
  const directory = await passable()
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

async function passable(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'embedded-')))
  await chmod(directory, 0o755)
  return directory
}

/**
 * Creates data on which a server has run and stopped, and returns a function that copies it for a test: creating data
 * takes twenty times as long. Use within `describe`.
 */
export function useOldData(): () => Promise<string> {
  let directory: string | undefined
  let original: string
  beforeAll(async () => {
    directory = await passable()
    original = join(directory, 'data')
    const onLost = (error: Error) => {
      throw error
    }
    const postgres = await startEmbedded({ dataDir: original, explicitDataDir: true, log: () => {}, onLost })
    await postgres.stop()
  })
  afterAll(async () => {
    if (directory !== undefined) await rm(directory, { recursive: true, force: true })
  })
  return async () => {
    const dataDir = join(await scratch(), 'data')
    // Preserves the owners of the files: under root, another account runs PostgreSQL.
    await promisify(execFile)('cp', ['-a', original, dataDir])
    return dataDir
  }
}

export interface StartedPostgres extends EmbeddedPostgres {
  logged: string[]
  lost: Error[]
}

/** Starts an embedded PostgreSQL in this process; it is stopped when the test ends. */
export async function begin(dataDir: string, explicitDataDir = true): Promise<StartedPostgres> {
  const logged: string[] = []
  const lost: Error[] = []
  const postgres = await startEmbedded({
    dataDir,
    explicitDataDir,
    log: (level, message) => logged.push(`${level} ${message}`),
    onLost: (error) => lost.push(error),
  })
  onTestFinished(() => postgres.stop())
  return { ...postgres, stop: () => postgres.stop(), logged, lost }
}

export interface Owner {
  process: ChildProcess
  /** `started`, `refused` or `lost`. */
  said: { started?: ConnectionOptions; refused?: string; lost?: string }
  stop(): Promise<void>
}

export const OWNER_PROGRAM = fileURLToPath(new URL('owner.mjs', import.meta.url))

/** Starts an embedded PostgreSQL in a process of its own, and waits until it runs or was refused. */
export async function beginElsewhere(dataDir: string): Promise<Owner> {
  const child = fork(OWNER_PROGRAM, [dataDir])
  const gone = once(child, 'exit')
  const stop = async () => {
    // A refused process may be exiting.
    if (child.connected) child.send('stop', () => {})
    await gone
  }
  onTestFinished(stop)
  const [said] = await once(child, 'message')
  return { process: child, said, stop }
}

export async function killOwner(owner: Owner): Promise<void> {
  owner.process.kill('SIGKILL')
  await once(owner.process, 'exit')
}

export async function query(connection: ConnectionOptions, sql: string, override: object = {}) {
  const client = new pg.Client({ ...connection, ...override })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

export async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

/** Returns whether a process exists and is not a zombie. */
export async function runs(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  if (process.platform === 'linux') return state !== '' && !/\) [ZX] /.test(state)
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Polls until the result is truthy; errors count as not yet. */
export async function eventually<T>(ask: () => Promise<T>, within = 20_000): Promise<T> {
  const deadline = Date.now() + within
  for (;;) {
    const answer = await ask().catch((error: Error) => {
      if (Date.now() > deadline) throw error
      return undefined
    })
    if (answer) return answer
    if (Date.now() > deadline) throw new Error('It never came')
    await delay(20)
  }
}
