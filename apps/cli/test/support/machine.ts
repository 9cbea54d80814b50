import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { useDirectory } from '@collab-spaces/testing'

/** The built command. */
export const MAIN = fileURLToPath(new URL('../../bin/spaces.js', import.meta.url))

/** Where a command is called, and by which actor. */
export interface Surroundings {
  /** Beside those that every call has; undefined takes one of these away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The home directory; by default one that the calls of a test file share, and that is empty at its beginning. */
  readonly home?: string
}

let ownHome: { readonly path: string } | undefined

/** Gives a test file a home directory. Called for each by `set-up.ts`: workers keep this module from file to file. */
export function useHome(): void {
  ownHome = useDirectory()
}

/** The home directory of a test file. */
export function homeOfFile(): string {
  if (ownHome === undefined) throw new Error('A test file has a home by its set-up')
  return ownHome.path
}

/** An empty home directory for who shall know nothing of the others in a test file. It ends with the file. */
export const freshHome = () => mkdtemp(join(homeOfFile(), 'home-'))

/** Where accounts are kept in a home directory. */
export const configIn = (home: string) => join(home, '.config', 'spaces', 'config.json')

/** The accounts that are kept in a home directory. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it as it is
export const keptIn = async (home: string): Promise<any> => JSON.parse(await readFile(configIn(home), 'utf8'))

type Environment = Record<string, string> & { readonly HOME: string }

/** All that the command is told by its environment: nothing of the machine that the tests run on. */
export function environment({ env = {}, home = homeOfFile() }: Surroundings): Environment {
  const all = {
    // biome-ignore lint/style/noProcessEnv: programs are found where the test run finds them, all else is given
    PATH: process.env.PATH,
    HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    PAGER: 'cat',
    SPACES_KEYRING: 'off',
    ...env,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Environment
}

/** The environment by which the command knows an actor. */
export const signedInAs = (server: { readonly url: string }, actor: { readonly api_key: string }) => ({
  SPACES_URL: server.url,
  SPACES_TOKEN: actor.api_key,
})
