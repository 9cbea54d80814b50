// Sets the version of the whole product, which every package.json repeats, and closes the section of the changelog.
//
//   node scripts/release.mjs 0.2.0     for a release
//   node scripts/release.mjs --check   fails unless all versions are the same, and all that others make is pinned
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const path = (file) => new URL(file, root)
const read = (file) => readFileSync(path(file), 'utf8')
const tracked = (...patterns) =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
const files = tracked('package.json', '*/package.json')
const versionOf = (file) => JSON.parse(read(file)).version

const [version = ''] = process.argv.slice(2)
if (version === '--check') check()
else if (/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) release(version)
else fail('Usage: node scripts/release.mjs VERSION, such as 0.2.0, or --check')

function check() {
  const product = versionOf('package.json')
  const others = files.filter((file) => versionOf(file) !== product)
  if (others.length > 0) fail(`The version is ${product}, but not in ${others.join(', ')}`)
  const loose = loosePins()
  if (loose.length > 0) fail(loose.join('\n'))
}

/** Places where a build or a workflow would take something of others without saying exactly which version. */
function loosePins() {
  const pnpm = testedPnpm()
  const workflows = tracked('.github/workflows/*')
  const containers = tracked('*Dockerfile*', '*compose*.yaml')
  const uses = linesOf(workflows, /^\s*(?:- )?uses:\s*(?!\.\/)/)
    .filter(([, line]) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))
    .map(([file, line]) => `${file}: name the action by commit, with its version: ${line}`)
  const images = linesOf(containers, /^FROM /)
    .filter(([, line]) => !/@sha256:[0-9a-f]{64}( AS \w+)?$/.test(line))
    .map(([file, line]) => `${file}: name the image by digest: ${line}`)
  const pnpms = linesOf([...workflows, ...containers], /pnpm@/)
    .filter(([, line]) => [...line.matchAll(/pnpm@([\d.]+)/g)].some(([, found]) => found !== pnpm))
    .map(([file, line]) => `${file}: run pnpm@${pnpm}, as packageManager does: ${line}`)
  const readme = [...read('README.md').matchAll(/pnpm@(\d+\.[\d.]*\d)/g)].map(([, found]) => found)
  const named = readme.length === 1 && readme[0] === pnpm ? [] : [`README.md: name pnpm@${pnpm} once`]
  return [...uses, ...images, ...pnpms, ...named]
}

function testedPnpm() {
  return JSON.parse(read('package.json')).packageManager.replace('pnpm@', '')
}

function linesOf(files, pattern) {
  return files.flatMap((file) =>
    read(file)
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => [file, line.trim()]),
  )
}

function release(version) {
  const changelog = read('CHANGELOG.md')
  const [, unreleased] = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? []
  if (!unreleased?.trim()) fail('CHANGELOG.md says nothing under "Unreleased"')
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(
    path('CHANGELOG.md'),
    changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version} (${today})\n`),
  )
  for (const file of files) {
    const text = read(file)
    writeFileSync(path(file), text.replace(/^( {2}"version": ")[^"]*/m, `$1${version}`))
  }
  check()
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
