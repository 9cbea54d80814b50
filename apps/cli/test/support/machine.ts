import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { useDirectory } from '@collab-spaces/testing'

/** The built command. */
export const MAIN = fileURLToPath(new URL('../../bin/spaces.js', import.meta.url))

/** The environment and the home of a call. */
export interface Surroundings {
  /** Added to the default environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The home directory; by default one for the calls of a test file, empty at its start. */
  readonly home?: string
}

let ownHome: { readonly path: string } | undefined

/** Creates the home directory of a test file. `set-up.ts` calls it for each, as workers keep modules between files. */
export function useHome(): void {
  ownHome = useDirectory()
}

/** Returns the home directory of a test file. */
export function homeOfFile(): string {
  if (ownHome === undefined) throw new Error('A test file has a home by its set-up')
  return ownHome.path
}

/** Creates an empty home directory, deleted after the test file. */
export const freshHome = () => mkdtemp(join(homeOfFile(), 'home-'))

/** Returns the path of the config file in a home directory. */
export const configIn = (home: string) => join(home, '.config', 'spaces', 'config.json')

/** Returns the stored accounts of a home directory. */
// biome-ignore lint/suspicious/noExplicitAny: tests access any field
export const keptIn = async (home: string): Promise<any> => JSON.parse(await readFile(configIn(home), 'utf8'))

type Environment = Record<string, string> & { readonly HOME: string }

/** Returns the whole environment of a command, independent of the machine that runs the tests. */
export function environment({ env = {}, home = homeOfFile() }: Surroundings): Environment {
  const all = {
    // biome-ignore lint/style/noProcessEnv: only the PATH comes from the test run
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

/** Returns the environment that authenticates an actor. */
export const signedInAs = (server: { readonly url: string }, actor: { readonly api_key: string }) => ({
  SPACES_URL: server.url,
  SPACES_TOKEN: actor.api_key,
})
