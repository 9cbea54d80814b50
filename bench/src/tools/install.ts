import { execFile } from 'node:child_process'
import { access, constants, mkdir, readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The measuring programs and the services to compare with, from Debian's packages and the npm registry. */

const run = promisify(execFile)

const TOOLS = {
  wrk: { file: 'wrk', packages: ['wrk'] },
  pgbench: { file: 'pgbench', packages: ['postgresql-contrib'] },
  cc: { file: 'cc', packages: ['gcc', 'libc6-dev'] },
  nginx: { file: 'nginx', packages: ['nginx'] },
  /** A module of nginx. */
  nchan: { file: 'ngx_nchan_module.so', packages: ['libnginx-mod-nchan'] },
}

export type Tool = keyof typeof TOOLS

/** A tool that is missing and could not be installed: its row is skipped. */
export class MissingTool extends Error {}

/** Returns the path of a tool, after installing it if missing. Throws a MissingTool. */
export async function pathOf(tool: Tool): Promise<string> {
  const found = await find(tool)
  if (found !== undefined) return found
  await install(TOOLS[tool].packages)
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
    const path = join(directory, TOOLS[tool].file)
    if (await isReadable(path)) return path
  }
  return undefined
}

const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  )

/** Returns the directories of the PATH, those of administrators, and Debian's for PostgreSQL and for modules of nginx. */
async function directories(): Promise<string[]> {
  const postgres = '/usr/lib/postgresql'
  const versions = await readdir(postgres).catch(() => [])
  return [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/lib/nginx/modules',
    ...versions.map((version) => join(postgres, version, 'bin')),
  ]
}

const PARSE_SERVER = 'parse-server@9.10.0'

/**
 * Returns the directory that Parse Server is installed in, from the npm registry at its first use: as a dependency it would
 * bring hundreds of packages to every checkout. Throws a MissingTool.
 */
export async function parseServer(): Promise<string> {
  const place = fileURLToPath(new URL(`../../node_modules/.cache/${PARSE_SERVER}`, import.meta.url))
  if (await isReadable(join(place, 'node_modules/parse-server/package.json'))) return place
  await mkdir(place, { recursive: true })
  const options = ['--no-audit', '--no-fund', '--omit=optional', '--ignore-scripts']
  await run('npm', ['install', '--prefix', place, ...options, PARSE_SERVER], { timeout: 300_000 }).catch((error) => {
    throw new MissingTool(`npm install ${PARSE_SERVER} failed (${error.message.split('\n')[0]})`)
  })
  return place
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
