import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { failed } from '../failure.js'

/** The newest checkpoint of a log that was seen, and the key that has signed it. */
export interface Pin {
  readonly key: string
  /** A signed note. */
  readonly note: string
}

/** A server's logs as far as they are known: the key that signs them now, and what was seen of each. */
export interface Pinned {
  readonly key: string
  /** By space and history. */
  readonly checkpoints: Readonly<Record<string, Pin>>
}

/** What this machine has seen of the logs of servers, which nobody there can take back. */
export class Pins {
  readonly #path: string

  constructor(directory: string) {
    this.#path = join(directory, 'checkpoints.json')
  }

  /** By the place of the account: what one account has seen is not for another. */
  async read(place: string): Promise<Pinned | null> {
    return (await this.#all())[place] ?? null
  }

  /** Replaces the file in one step, so that a crash leaves the old or the new one. */
  async write(place: string, pinned: Pinned): Promise<void> {
    const all = { ...(await this.#all()), [place]: pinned }
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 })
    const next = `${this.#path}.${process.pid}`
    await writeFile(next, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
    await rename(next, this.#path)
  }

  async #all(): Promise<Readonly<Record<string, Pinned>>> {
    try {
      return { ...JSON.parse(await readFile(this.#path, 'utf8')) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
      throw failed(`Cannot read ${this.#path}: ${(error as Error).message}`)
    }
  }
}
