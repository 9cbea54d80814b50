import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { cutText } from '@collab-spaces/client'
import { failed } from '../failure.js'

/**
 * The ID of this installation: made once, and kept beside the profiles, where only its owner can read it. It is random,
 * so that a reader of an agent's code cannot pass for the installation that redeemed it.
 */
export async function installationIn(directory: string): Promise<string> {
  const path = join(directory, 'installation')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const made = `${cutText(hostname(), 100) || 'unnamed'}-${randomBytes(8).toString('hex')}`
  try {
    // The second to come takes what is there.
    await writeFile(path, `${made}\n`, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    return (await readFile(path, 'utf8')).trim() || made
  } catch (error) {
    throw failed(`Cannot keep the ID of this installation in ${path}: ${(error as Error).message}`)
  }
}
