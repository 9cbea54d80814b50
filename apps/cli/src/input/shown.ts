import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kind } from '../id/kind.js'

/** The IDs that were shown, by kind: in which space, and line by line. */
type Lists = Partial<Record<Kind['noun'], { readonly space: string | null; readonly ids: readonly string[] }>>

/** How long shown IDs are kept. */
const KEPT_MS = 7 * 86_400_000

/**
 * The last list that the terminal has shown, so that a line can be named by its number. Each shell has its own, as it is the
 * parent of the commands that are typed into it.
 */
export class ShownList {
  readonly #path: string

  constructor(private readonly directory: string) {
    this.#path = join(directory, `shown-${process.ppid}.json`)
  }

  /** The ID on a line of the last list of a kind; undefined if that was another list. */
  async at({ noun, space }: Kind, line: number): Promise<string | undefined> {
    const list = (await this.#read())[noun]
    return list?.space === (space ?? null) ? list.ids[line - 1] : undefined
  }

  /** Where this cannot be written, lines have no numbers, which is no reason to fail. */
  async keep({ noun, space }: Pick<Kind, 'noun' | 'space'>, ids: readonly string[]): Promise<void> {
    try {
      await mkdir(this.directory, { recursive: true, mode: 0o700 })
      await writeFile(this.#path, JSON.stringify({ ...(await this.#read()), [noun]: { space: space ?? null, ids } }), {
        mode: 0o600,
      })
      await this.#forgetOld()
    } catch {}
  }

  async #read(): Promise<Lists> {
    try {
      return JSON.parse(await readFile(this.#path, 'utf8'))
    } catch {
      return {}
    }
  }

  async #forgetOld(): Promise<void> {
    for (const name of await readdir(this.directory)) {
      const path = join(this.directory, name)
      if (/^shown-\d+\.json$/.test(name) && Date.now() - (await stat(path)).mtimeMs > KEPT_MS) await rm(path)
    }
  }
}
