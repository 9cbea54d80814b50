import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventFile } from '@collab-spaces/client'
import type { EntryValue } from '@collab-spaces/merkle'
import { failed, usage } from '../failure.js'

/** The hashes of the files that the events of a verified history name. */
export class SealedFiles {
  readonly #hashes = new Set<string>()

  /** Adds the files of an entry, if it has any. */
  readonly add = ({ files }: EntryValue): void => {
    if (Array.isArray(files)) for (const { sha256 } of files as EventFile[]) this.#hashes.add(sha256)
  }

  /** Checks all files in a directory. Returns their number. Fails for the first that no event names. */
  async requireAll(directory: string): Promise<number> {
    const names = await namesIn(directory)
    for (const name of names) {
      const path = join(directory, name)
      if (!this.#hashes.has(await hashOf(path))) throw failed(`${path} is not a file of this history as it was sealed`)
    }
    return names.length
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  } catch (error) {
    throw usage(`Cannot read ${directory}`, (error as Error).message)
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest('hex')
}
