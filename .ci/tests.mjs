/**
 * The README's test command, and a second look at what failed.
 *
 * Of five thousand tests one sometimes fails for the sake of a busy machine. Up to five files are therefore run once
 * more, by themselves; what passes then is named as flaky, with its first failure, and is to be mended like any other.
 * More than five, or a second failure, is a failure.
 *
 * Writes `.ci/report.json`: `{ passed, failed, summary }`, the first two in tests, the last in lines for people.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')
const vitestReport = join(root, '.ci/vitest.json')
const filesToRunAgain = 5
const linesOfMessage = 12

/** Runs a command to its end: what vitest reported meanwhile, or null. */
function run(command, ...args) {
  rmSync(vitestReport, { force: true })
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  let report = null
  try {
    report = JSON.parse(readFileSync(vitestReport, 'utf8'))
  } catch {
    // It did not come to that.
  }
  const failedFiles = report?.testResults.filter((file) => file.status === 'failed') ?? []
  return {
    passed: report?.numPassedTests ?? 0,
    // A file that does not even load counts as one, and so does a run that failed without a failed test.
    failed: status === 0 ? 0 : Math.max(report?.numFailedTests ?? 0, failedFiles.length, 1),
    failedFiles,
    leftOut: leftOut(report),
  }
}

/** A line for each failed test of a file, with the first lines of its message. */
function describe(heading, file) {
  const tests = file.assertionResults.filter((test) => test.status === 'failed')
  const failures = tests.map((test) => ({ name: test.fullName, message: test.failureMessages.join('\n') }))
  if (failures.length === 0) failures.push({ name: 'the file itself', message: file.message })
  return failures.map(({ name, message }) => {
    const lines = message.split('\n').slice(0, linesOfMessage)
    return [`${heading}: ${relative(root, file.name)} > ${name}`, ...lines.map((line) => `    ${line}`)].join('\n')
  })
}

/** The suites that were left out for want of a program, which `leftOut` of `packages/testing` names so. */
const leftOut = (report) => [
  ...new Set(
    (report?.testResults ?? []).flatMap((file) =>
      file.assertionResults
        .map((test) => test.ancestorTitles.findIndex((title) => title.includes(' (left out: ')))
        .flatMap((depth, index) =>
          depth < 0
            ? []
            : [`NOT TESTED: ${file.assertionResults[index].ancestorTitles.slice(0, depth + 1).join(' > ')}`],
        ),
    ),
  ),
]

const first = run('npx', '-y', 'pnpm@12', 'test')
let { passed, failed } = first
const summary = []
if (first.failedFiles.length === 0 || first.failedFiles.length > filesToRunAgain) {
  summary.push(...first.failedFiles.flatMap((file) => describe('FAILED', file)))
} else {
  process.stdout.write('==> the files that failed, by themselves\n')
  const second = run('npx', 'vitest', 'run', ...first.failedFiles.map((file) => relative(root, file.name)))
  const stillFailed = new Set(second.failedFiles.map((file) => file.name))
  summary.push(...second.failedFiles.flatMap((file) => describe('FAILED twice', file)))
  summary.push(
    ...first.failedFiles
      .filter((file) => !stillFailed.has(file.name))
      .flatMap((file) => describe('failed at first only', file)),
  )
  passed += Math.max(first.failed - second.failed, 0)
  failed = second.failed
}
summary.push(...first.leftOut)
writeFileSync(join(root, '.ci/report.json'), JSON.stringify({ passed, failed, summary: summary.join('\n') }))
process.exitCode = failed === 0 ? 0 : 1
