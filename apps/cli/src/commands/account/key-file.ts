import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Cli } from '../../cli.js'
import { failed, usage } from '../../failure.js'

/** Fails if the file exists: it may hold the key of another account. */
export function requireNewFile(path: string): void {
  const problem = problemWith(path)
  if (problem !== undefined) throw usage(`--key-file: ${problem}`)
}

const problemWith = (path: string) => (existsSync(path) ? `${path} exists already` : undefined)

/**
 * Saves the API key of a new account to a file if the person agrees, and reports the result. A person who loses the saved
 * token cannot sign in without the key.
 */
export async function saveKey(
  cli: Cli,
  apiKey: string,
  requestedPath: string | undefined,
  { allowsPrompt }: { readonly allowsPrompt: boolean },
): Promise<void> {
  const path = requestedPath ?? (allowsPrompt ? await promptForPath(cli) : null)
  if (path === null) {
    cli.out.note('\nYour API key was not kept. For one that lets you in again if you lose this machine, run:')
    cli.out.note('spaces account rotate-key')
    return
  }
  await writeKeyFile(path, apiKey)
  cli.out.note(`\nYour API key is in ${path}. Keep it where you keep passwords.`)
  cli.out.note(`To sign in with it: spaces login < ${path}`)
}

async function promptForPath(cli: Cli): Promise<string | null> {
  if (!cli.prompt.canAsk) return null
  const question = 'Keep your API key in a file? It lets you in again if you lose this machine.'
  if (!(await cli.prompt.agrees(question, true))) return null
  const initial = join(homedir(), 'spaces.key')
  return cli.prompt.text({ message: 'New file for the key', required: '--key-file', initial, problemWith })
}

/** Only its owner can read the file. */
async function writeKeyFile(path: string, apiKey: string): Promise<void> {
  await writeFile(path, `${apiKey}\n`, { mode: 0o600, flag: 'wx' }).catch((error: Error) => {
    const hint = 'You are signed in all the same. For another key, run: spaces account rotate-key'
    throw failed(`Cannot write ${path}: ${error.message}`, hint)
  })
}
