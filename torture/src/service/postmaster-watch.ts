import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const EVERY_MS = 20

/** Counts repeatedly how many PostgreSQL run on the same data. */
export class PostmasterWatch {
  #most = 0
  #isOver = false

  constructor(dataDir: string) {
    void this.#watch(join(dataDir, 'postgres'))
  }

  /** Returns the maximum at any time. */
  stop(): number {
    this.#isOver = true
    return this.#most
  }

  async #watch(cluster: string): Promise<void> {
    while (!this.#isOver) {
      this.#most = Math.max(this.#most, postmastersOn(cluster))
      await delay(EVERY_MS)
    }
  }
}

/** Without /proc, none is found. */
function postmastersOn(cluster: string): number {
  const names = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  const pids = names.filter((pid) => {
    const [program = '', ...args] = read(pid, 'cmdline').split('\0')
    return program.endsWith('/postgres') && args.includes(cluster)
  })
  if (pids.length < 2) return pids.length
  // A new child briefly has the command line of its parent, and may have exited before its parent is read. It has no
  // children.
  const parents = new Set(names.map(parentOf))
  return pids.filter((pid) => parents.has(pid)).length
}

const parentOf = (pid: string) => /^PPid:\s*(\d+)$/m.exec(read(pid, 'status'))?.[1] ?? ''

/** Empty for a process that has exited. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
