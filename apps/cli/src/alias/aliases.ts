import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { failed } from '../failure.js'

/** Names of a person's own, and the command lines that they stand for. */
export type Names = Readonly<Record<string, string>>

/** The aliases on this machine. */
export class Aliases {
  readonly #path: string

  constructor(directory: string) {
    this.#path = join(directory, 'aliases.json')
  }

  async read(): Promise<Names> {
    try {
      return { ...JSON.parse(await readFile(this.#path, 'utf8')) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
      throw failed(`Cannot read ${this.#path}: ${(error as Error).message}`)
    }
  }

  /** Replaces the file in one step, so that a crash leaves the old or the new one. */
  async write(names: Names): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 })
    const next = `${this.#path}.${process.pid}`
    await writeFile(next, `${JSON.stringify(names, null, 2)}\n`, { mode: 0o600 })
    await rename(next, this.#path)
  }
}
