// Sets the version of the whole product, which every package.json repeats, and closes the section of the changelog.
//
//   node scripts/release.mjs 0.2.0     for a release
//   node scripts/release.mjs --check   fails unless all versions are the same
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const path = (file) => new URL(file, root)
const files = execFileSync('git', ['ls-files', 'package.json', '*/package.json'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
const versionOf = (file) => JSON.parse(readFileSync(path(file), 'utf8')).version

const [version = ''] = process.argv.slice(2)
if (version === '--check') check()
else if (/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) release(version)
else fail('Usage: node scripts/release.mjs VERSION, such as 0.2.0, or --check')

function check() {
  const product = versionOf('package.json')
  const others = files.filter((file) => versionOf(file) !== product)
  if (others.length > 0) fail(`The version is ${product}, but not in ${others.join(', ')}`)
}

function release(version) {
  const changelog = readFileSync(path('CHANGELOG.md'), 'utf8')
  const [, unreleased] = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? []
  if (!unreleased?.trim()) fail('CHANGELOG.md says nothing under "Unreleased"')
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(
    path('CHANGELOG.md'),
    changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version} (${today})\n`),
  )
  for (const file of files) {
    const text = readFileSync(path(file), 'utf8')
    writeFileSync(path(file), text.replace(/^( {2}"version": ")[^"]*/m, `$1${version}`))
  }
  check()
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
