import { execFile } from 'node:child_process'
import { access, constants, readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/** The measuring programs, from Debian's packages. */

const run = promisify(execFile)

const PACKAGES = {
  wrk: ['wrk'],
  pgbench: ['postgresql-contrib'],
  cc: ['gcc', 'libc6-dev'],
}

export type Tool = keyof typeof PACKAGES

/** A tool that is missing and could not be installed: its row is skipped. */
export class MissingTool extends Error {}

/** Returns the path of a program, after installing it if missing. Throws a MissingTool. */
export async function pathOf(tool: Tool): Promise<string> {
  const found = await find(tool)
  if (found !== undefined) return found
  await install(PACKAGES[tool])
  const installed = await find(tool)
  if (installed === undefined) throw new MissingTool(`${tool} is not there, although its package is installed`)
  return installed
}

/** Returns the version of a program; null if not installed. */
export async function versionOf(tool: Tool): Promise<string | null> {
  const path = await find(tool)
  if (path === undefined) return null
  // wrk prints its version with its usage, and fails.
  const { stdout, stderr } = await run(path, [tool === 'pgbench' ? '-V' : '-v']).catch((error) => error)
  return /\d+\.[\d.]*\d/.exec(`${stdout}${stderr}`)?.[0] ?? null
}

async function find(tool: Tool): Promise<string | undefined> {
  for (const directory of await directories()) {
    const path = join(directory, tool)
    if (await isExecutable(path)) return path
  }
  return undefined
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** Returns the directories of the PATH, those of administrators, and Debian's for PostgreSQL programs. */
async function directories(): Promise<string[]> {
  const postgres = '/usr/lib/postgresql'
  const versions = await readdir(postgres).catch(() => [])
  return [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/sbin',
    ...versions.map((version) => join(postgres, version, 'bin')),
  ]
}

async function install(packages: readonly string[]): Promise<void> {
  const names = packages.join(' ')
  if (process.getuid?.() !== 0) throw new MissingTool(`run as root or install it first: apt-get install ${names}`)
  const options = {
    timeout: 120_000,
    // At run level 1, services of the packages are not started.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  }
  const installAll = () => run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], options)
  try {
    await installAll().catch(async () => {
      await run('apt-get', ['update', '-q'], options)
      await installAll()
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : error
    throw new MissingTool(`apt-get install ${names} failed (${reason})`)
  }
}
