import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as history from '@collab-spaces/testing/history'

/** A built checkout of this project: the measuring one, or one to compare with. */
export interface Checkout {
  readonly name: string
  /** The program of its server. */
  readonly main: string
  /** The program that builds its release. */
  readonly release: string
  /** The commit; null outside a Git repository. */
  readonly commit: string | null
  /** Loads a history in the format that its server expects. */
  readonly loadLongHistory: typeof history.loadLongHistory
}

const MAIN = 'apps/server/dist/main.js'
const RELEASE = 'release/dist/run.js'
const HISTORY = 'packages/testing/dist/history/index.js'
const HERE = fileURLToPath(new URL('../../..', import.meta.url))

export const OWN: Checkout = {
  name: 'this checkout',
  main: join(HERE, MAIN),
  release: join(HERE, RELEASE),
  commit: commitOf(HERE),
  loadLongHistory: history.loadLongHistory,
}

/** Opens another checkout. Throws when it is not built, or older than histories in the build. */
export async function otherCheckout(directory: string): Promise<Checkout> {
  const root = resolve(directory)
  for (const file of [MAIN, HISTORY]) {
    if (!existsSync(join(root, file))) throw new Error(`${directory} has no ${file}: run pnpm build there`)
  }
  const { loadLongHistory }: typeof history = await import(pathToFileURL(join(root, HISTORY)).href)
  return {
    name: basename(root),
    main: join(root, MAIN),
    release: join(root, RELEASE),
    commit: commitOf(root),
    loadLongHistory,
  }
}

function commitOf(root: string): string | null {
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim()
  try {
    const commit = git('rev-parse', '--short', 'HEAD')
    return git('status', '--porcelain') === '' ? commit : `${commit} with changes`
  } catch {
    return null
  }
}
