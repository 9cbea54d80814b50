import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { failed } from './failure.js'
import { decoded } from './input/utf8.js'

/** A file of JSON that only its owner can read: what there is by name, and nothing before it is written. */
export class JsonFile<T> {
  /** `remedy` is the advice where it cannot be read. */
  constructor(
    private readonly path: string,
    private readonly remedy?: string,
  ) {}

  async read(): Promise<Readonly<Record<string, T>>> {
    try {
      return { ...JSON.parse(decoded(await readFile(this.path), (line) => `line ${line}`)) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
      throw failed(`Cannot read ${this.path}: ${(error as Error).message}`, this.remedy)
    }
  }

  /** Replaces the file in one step, so that a crash leaves the old or the new one. */
  async write(all: Readonly<Record<string, T>>): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 })
    const next = `${this.path}.${process.pid}`
    await writeFile(next, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600, flush: true })
    await rename(next, this.path)
  }
}

/** The value of a JSON text; undefined for any other text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
