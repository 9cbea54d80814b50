import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Cli } from '../../cli.js'
import { failed, usage } from '../../failure.js'

/** Fails if there is such a file already: it may hold the key of another account. */
export function requireNewFile(path: string): void {
  const problem = problemWith(path)
  if (problem !== undefined) throw usage(`--key-file: ${problem}`)
}

const problemWith = (path: string) => (existsSync(path) ? `${path} exists already` : undefined)

/**
 * Keeps the API key of a new account in a file, if the person wants that, and says what became of it: who loses the
 * token has no other way back in.
 */
export async function keepKey(
  cli: Cli,
  apiKey: string,
  wanted: string | undefined,
  { mayAsk }: { readonly mayAsk: boolean },
): Promise<void> {
  const path = wanted ?? (mayAsk ? await chosenFile(cli) : null)
  if (path === null) {
    cli.out.note('\nYour API key was not kept. For one that lets you in again if you lose this machine, run:')
    cli.out.note('spaces account rotate-key')
    return
  }
  await save(path, apiKey)
  cli.out.note(`\nYour API key is in ${path}. Keep it where you keep passwords.`)
  cli.out.note(`To sign in with it: spaces login < ${path}`)
}

async function chosenFile(cli: Cli): Promise<string | null> {
  if (!cli.prompt.canAsk) return null
  const question = 'Keep your API key in a file? It lets you in again if you lose this machine.'
  if (!(await cli.prompt.agrees(question, true))) return null
  const initial = join(homedir(), 'spaces.key')
  return cli.prompt.text({ message: 'New file for the key', required: '--key-file', initial, problemWith })
}

/** Only its owner can read the file. */
async function save(path: string, apiKey: string): Promise<void> {
  await writeFile(path, `${apiKey}\n`, { mode: 0o600, flag: 'wx' }).catch((error: Error) => {
    const hint = 'You are signed in all the same. For another key, run: spaces account rotate-key'
    throw failed(`Cannot write ${path}: ${error.message}`, hint)
  })
}
