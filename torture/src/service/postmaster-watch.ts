import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const EVERY_MS = 20

/** Looks again and again how many PostgreSQL run on the same data. */
export class PostmasterWatch {
  #most = 0
  #isOver = false

  constructor(dataDir: string) {
    void this.#watch(join(dataDir, 'postgres'))
  }

  /** The most that there were at once. */
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

/** Where there is no /proc, none is found. */
function postmastersOn(cluster: string): number {
  const names = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  const pids = names.filter((pid) => {
    const [program = '', ...args] = read(pid, 'cmdline').split('\0')
    return program.endsWith('/postgres') && args.includes(cluster)
  })
  if (pids.length < 2) return pids.length
  // A new child has its command line for a moment, and may be gone before its parent is read. It has no children itself.
  const parents = new Set(names.map(parentOf))
  return pids.filter((pid) => parents.has(pid)).length
}

const parentOf = (pid: string) => /^PPid:\s*(\d+)$/m.exec(read(pid, 'status'))?.[1] ?? ''

/** Of a process that has ended, nothing. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
