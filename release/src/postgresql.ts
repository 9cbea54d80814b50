import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Files that a server never asks for. Others stay, as the needs of extensions and time zones are not written down. */
const UNUSED = [
  // To compile programs against it.
  /\.a$/,
  /^lib\/(pkgconfig|postgresql\/pgxs)(\/|$)/,
  /^lib\/lib(ecpg|ecpg_compat|pgtypes)\./,
  // Languages whose interpreters it does not bring along.
  /(plperl|plpython3|pltcl)/,
  // The only extensions that need these libraries.
  /^lib\/lib(ossp-uuid|xslt)\./,
  /^lib\/postgresql\/(uuid-ossp|pgxml)\.so$/,
  /\/extension\/(uuid-ossp|xml2)[-.]/,
]

const LINKS = 'pg-symlinks.json'

/**
 * Copies the package of the embedded PostgreSQL. The links to its libraries, which the first start would make elsewhere,
 * are made here: the user who runs a release need not be able to write into it.
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

/** By a path in the package, and one in PostgreSQL itself. */
function isUnused(path: string, ofPostgresql: string): boolean {
  if (path === 'scripts' || path.endsWith('.md') || ofPostgresql === LINKS) return true
  return UNUSED.some((pattern) => pattern.test(ofPostgresql))
}

function readLinks(native: string): { readonly source: string; readonly target: string }[] {
  return JSON.parse(readFileSync(join(native, LINKS), 'utf8'))
}
