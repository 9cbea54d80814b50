import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inCheckout } from './checkout.js'
import type { Package } from './postgresql.js'

/** Third-party work in a release, and its licence. */
export interface Notice {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly text: string
}

/** The format that `scripts/third-party.mjs` writes next to a bundle. */
const SEPARATOR = `\n\n${'-'.repeat(80)}\n\n`
const NOTICE = /^(\S+) (\S+) \((.+)\)\n\n([\s\S]*)$/

/** The file that the build of the page writes. */
const SECTION = /^## (\S+) - (\S+) \((.+)\)$/m

/** The names of emoji on the page. */
const OF_EMOJI = inCheckout('apps/web/src/shared/emoji/names/LICENSE')

/** PostgreSQL and its linked libraries, whose package has no notices. */
const OF_POSTGRESQL = inCheckout('release/files/postgresql-notices.txt')

/**
 * Returns the notices of all third-party work, each once, sorted by name. The folders are packages that are included as
 * a whole; `postgresql` is null without the embedded PostgreSQL.
 */
export function notices(folders: readonly string[], postgresql: Package | null): Notice[] {
  const all = [
    ...bundled(inCheckout('apps/server/dist/THIRD-PARTY.txt')),
    ...bundled(inCheckout('apps/cli/dist/THIRD-PARTY.txt')),
    ...(postgresql ? [ofFolder(postgresql.folder), ...postgresqlNotices()] : []),
    ...ofPage(inCheckout('apps/web/dist/third-party.md')),
    ...emojiNotices(),
    ...folders.map(ofFolder),
  ]
  const byName = new Map(all.map((notice) => [`${notice.name} ${notice.version}`, notice]))
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, notice]) => notice)
}

export const written = (notices: readonly Notice[]): string =>
  notices.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`).join(SEPARATOR)

/** The notices of the names of emoji on the page. */
export const emojiNotices = (): Notice[] => bundled(OF_EMOJI)

/** The notices of software in the embedded PostgreSQL other than its package. */
export const postgresqlNotices = (): Notice[] => bundled(OF_POSTGRESQL)

function bundled(file: string): Notice[] {
  return readFileSync(file, 'utf8')
    .split(SEPARATOR)
    .map((part) => {
      const [, name, version, license, text] = NOTICE.exec(part) ?? []
      if (!name || !version || !license || !text) throw new Error(`${file} has a part that is no notice:\n${part}`)
      return { name, version, license, text: text.trim() }
    })
}

function ofPage(file: string): Notice[] {
  const [, ...parts] = readFileSync(file, 'utf8').split(SECTION)
  return parts.flatMap((name, at) => {
    const [version, license, text] = parts.slice(at + 1)
    return at % 4 === 0 && version && license && text ? [{ name, version, license, text: text.trim() }] : []
  })
}

function ofFolder(folder: string): Notice {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = ['LICENSE', 'LICENSE.md', 'NOTICE'].map((file) => join(folder, file)).filter((file) => existsSync(file))
  const text = files.map((file) => readFileSync(file, 'utf8').trim()).join('\n\n')
  return { name, version, license, text: text || `By ${author?.name ?? author}.` }
}
