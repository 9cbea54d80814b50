import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'

/** The built command. */
export const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** Where a command is called, and by whom. */
export interface Surroundings {
  /** Beside those that every call has; undefined takes one of these away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The home directory; by default one that the calls of a test file share, and that is empty at its beginning. */
  readonly home?: string
}

let ownHome: string | undefined

beforeAll(async () => {
  ownHome = await temporaryHome()
})
afterAll(async () => {
  if (ownHome !== undefined) await rm(ownHome, { recursive: true, force: true })
})

/** The home directory of a test file. */
export function homeOfFile(): string {
  if (ownHome === undefined) throw new Error('There is a home directory from the first test on')
  return ownHome
}

/** An empty home directory. Whoever makes one sees to its end. */
export const temporaryHome = async () => realpath(await mkdtemp(join(tmpdir(), 'spaces-home-')))

/** Where accounts are kept in a home directory. */
export const configIn = (home: string) => join(home, '.config', 'spaces', 'config.json')

/** All that the command is told by its environment: nothing of the machine that the tests run on. */
export function environment({ env = {}, home = homeOfFile() }: Surroundings): Record<string, string> {
  // biome-ignore lint/style/noProcessEnv: programs are found where the test run finds them, all else is given
  const all = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', TZ: 'UTC', PAGER: 'cat', ...env }
  return Object.fromEntries(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined))
}

/** Who somebody is for the command, by its environment alone. */
export const signedInAs = (server: { readonly url: string }, actor: { readonly api_key: string }) => ({
  SPACES_URL: server.url,
  SPACES_TOKEN: actor.api_key,
})
