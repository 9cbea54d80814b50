#!/usr/bin/env node
// Counts what keeps the source plain: words, knots of folders, the page's floors and sizes. Exits with 1 above a limit.
// Lower a limit when a change allows it; raise only those of lines and words, for a feature.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { longFunctions } from './plain/functions.mjs'
import { folderEdges, importsUp, knotsOf } from './plain/imports.mjs'
import { IDENTIFIERS, PRONOUNS } from './plain/words.mjs'

const ROOT = join(import.meta.dirname, '..')

/** Texts of others, and the list of the words itself. */
const LEFT_OUT = [
  ':!release/files',
  ':!*LICENSE',
  ':!pnpm-lock.yaml',
  ':!scripts/plain',
  ':!*.svg',
  ':!*.png',
  ':!*.woff2',
]

const listed = (...patterns) =>
  execFileSync('git', ['ls-files', '-z', '--', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '')
const read = (paths) => new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))

const all = read(listed('.', ...LEFT_OUT))
const product = new Map(
  [...all].filter(
    ([path]) => /^(?:apps|packages)\/[^/]+\/src\/.*\.tsx?$/.test(path) && !/\.(?:test|cases)\.tsx?$/.test(path),
  ),
)

const linesOf = (text) => text.split('\n').length - 1
const findings = (pattern) =>
  [...all].flatMap(([path, text]) =>
    text
      .split('\n')
      .flatMap((line, index) => Array.from(line.matchAll(pattern), ([word]) => `${path}:${index + 1}: ${word}`)),
  )

function counts() {
  const identifiers = new RegExp(`\\b(?:${[...IDENTIFIERS.keys()].join('|')})(?:\\b|(?<=_))`, 'g')
  const packages = new Set([...product.keys()].map((path) => path.split('/').slice(0, 2).join('/')))
  const knots = [...packages].map((name) => {
    const src = `${name}/src`
    const files = [...product].filter(([path]) => path.startsWith(`${src}/`))
    const found = knotsOf(folderEdges(files, src)).flat()
    return { what: `folders of ${name} that import each other`, found, allowed: 0 }
  })
  const documents = [...all].filter(([path]) => path.endsWith('.md'))
  const words = documents.reduce((sum, [, text]) => sum + text.split(/\s+/).filter(Boolean).length, 0)
  return [
    { what: `pronouns instead of ${PRONOUNS.instead}`, found: findings(PRONOUNS.pattern), allowed: 0 },
    { what: 'identifiers that have a standard name', found: findings(identifiers), allowed: 0 },
    ...knots,
    { what: 'imports to a higher floor of the page', found: importsUp(product, 'apps/web/src'), allowed: 0 },
    {
      what: 'functions of more than 100 lines',
      found: [...product].flatMap(([path, text]) => longFunctions(text, 100).map((name) => `${path}: ${name}`)),
      allowed: 0,
    },
    {
      what: 'files of 15 lines or fewer',
      // `texts.ts` names the texts of a feature; those are in a folder for each language.
      found: [...product.keys()].filter(
        (path) => linesOf(product.get(path)) <= 15 && !/texts\.ts$|\/languages\//.test(path),
      ),
      allowed: 60,
    },
    {
      what: 'lines of apps and packages',
      count: [...product.values()].reduce((sum, text) => sum + linesOf(text), 0),
      allowed: 119_800,
    },
    { what: 'words of documents', count: words, allowed: 55_100 },
    {
      what: 'prepared texts of the append',
      count: 3 * (all.get('packages/db/src/log/append-statement.ts')?.match(/^ {2}(?:short|full): \{/gm) ?? []).length,
      allowed: 6,
    },
  ].map((row) => ({ ...row, count: row.count ?? row.found.length }))
}

let isAbove = false
for (const { what, count, allowed, found = [] } of counts()) {
  const isTooMany = count > allowed
  isAbove ||= isTooMany
  process.stdout.write(
    `${isTooMany ? 'ABOVE' : 'ok   '} ${String(count).padStart(6)} of ${String(allowed).padStart(6)}  ${what}\n`,
  )
  if (isTooMany || process.argv.includes('--all'))
    for (const each of found.slice(0, 400)) process.stdout.write(`        ${each}\n`)
}
process.exitCode = isAbove ? 1 : 0
