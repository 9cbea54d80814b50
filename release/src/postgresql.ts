import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

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
