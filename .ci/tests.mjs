/**
 * Runs the README's test command, and then up to five failed files once more, alone.
 *
 * On a busy machine, a few of the many tests may fail. A test that passes the second time is reported as flaky, with its
 * first failure, and needs a fix. A second failure, or more than five failed files, fails this step.
 *
 * Writes `.ci/report.json`: `{ passed, failed, summary }`: two numbers of tests, and text for readers.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')
const vitestReport = join(root, '.ci/vitest.json')
const filesToRunAgain = 5
const linesOfMessage = 12

/** Runs a command, and returns the counts and failed files of its vitest report. */
function run(command, ...args) {
  rmSync(vitestReport, { force: true })
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  let report = null
  try {
    report = JSON.parse(readFileSync(vitestReport, 'utf8'))
  } catch {
    // The command failed before vitest wrote a report.
  }
  const failedFiles = report?.testResults.filter((file) => file.status === 'failed') ?? []
  return {
    passed: report?.numPassedTests ?? 0,
    // A file that does not load counts as one test, and so does a run that fails without a failed test.
    failed: status === 0 ? 0 : Math.max(report?.numFailedTests ?? 0, failedFiles.length, 1),
    failedFiles,
    leftOut: leftOut(report),
  }
}

/** Describes each failed test of a file, with the first lines of its message. */
function describe(heading, file) {
  const tests = file.assertionResults.filter((test) => test.status === 'failed')
  const failures = tests.map((test) => ({ name: test.fullName, message: test.failureMessages.join('\n') }))
  if (failures.length === 0) failures.push({ name: 'the file itself', message: file.message })
  return failures.map(({ name, message }) => {
    const lines = message.split('\n').slice(0, linesOfMessage)
    return [`${heading}: ${relative(root, file.name)} > ${name}`, ...lines.map((line) => `    ${line}`)].join('\n')
  })
}

/** Lists the suites that `leftOut` of `packages/testing` skipped for want of a program. */
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
