import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'

const SCAN_INTERVAL_MS = 2_000
const MB = 1024 * 1024

/**
 * Watches the free space of the embedded PostgreSQL's disk. A full disk stops PostgreSQL and with it all reads, so writes are
 * refused a little earlier.
 */
export class DiskWatch {
  #isLow = false
  #timer: NodeJS.Timeout | undefined
  #closed = false

  private constructor(
    private readonly directory: string,
    /** The reserve in bytes. */
    private readonly reserve: number,
    private readonly log: Logger,
  ) {}

  /** Starts watching; resolves after the first check. A reserve of 0 disables it. */
  static async start(directory: string, reserveMb: number, log: Logger): Promise<DiskWatch> {
    const watch = new DiskWatch(directory, reserveMb * MB, log)
    if (reserveMb > 0) await watch.#look()
    return watch
  }

  /** Whether the free space is below the reserve. */
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
 * Returns the size of a directory's disk and its free space for unprivileged users, in bytes. Null if unknown.
 */
export async function diskOf(directory: string) {
  try {
    const { bavail, blocks, bsize } = await statfs(directory)
    return { free: bavail * bsize, size: blocks * bsize }
  } catch {
    return null
  }
}
