import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'

const SCAN_INTERVAL_MS = 2_000
const MB = 1024 * 1024

/**
 * Watches how much is free on the disk of the embedded PostgreSQL. Once that is full, PostgreSQL stops and takes reads
 * with it, so writes are refused a little earlier.
 */
export class DiskWatch {
  #isLow = false
  #timer: NodeJS.Timeout | undefined
  #closed = false

  private constructor(
    private readonly directory: string,
    /** In bytes. */
    private readonly reserve: number,
    private readonly log: Logger,
  ) {}

  /** Looks once before it resolves. A reserve of 0 watches nothing. */
  static async start(directory: string, reserveMb: number, log: Logger): Promise<DiskWatch> {
    const watch = new DiskWatch(directory, reserveMb * MB, log)
    if (reserveMb > 0) await watch.#look()
    return watch
  }

  /** Whether less is free than the reserve. */
  get isLow(): boolean {
    return this.#isLow
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  async #look(): Promise<void> {
    const disk = await diskOf(this.directory)
    if (this.#closed) return
    if (disk) this.#judge(disk.free)
    this.#timer = setTimeout(() => void this.#look(), SCAN_INTERVAL_MS).unref()
  }

  #judge(free: number): void {
    const isLow = free < this.reserve
    if (isLow === this.#isLow) return
    this.#isLow = isLow
    const fields = { directory: this.directory, freeMb: Math.floor(free / MB) }
    if (isLow) this.log.error(fields, 'the disk is almost full: writes are refused until there is space')
    else this.log.info(fields, 'the disk has space again: writes are accepted')
  }
}

/**
 * The disk of a directory, in bytes: free is what PostgreSQL, which is not root, may still use. Null when it does not tell.
 */
export async function diskOf(directory: string) {
  try {
    const { bavail, blocks, bsize } = await statfs(directory)
    return { free: bavail * bsize, size: blocks * bsize }
  } catch {
    return null
  }
}
