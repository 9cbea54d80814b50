import { readFileSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node'

/** The URL of a PostgreSQL on which the server's tests also run. Its role must be allowed to create databases. */
// biome-ignore lint/style/noProcessEnv: where the test run reads its environment
const ownPostgres = process.env.TEST_DATABASE_URL

/**
 * Temporary files are in memory if there is room, ten times what a run needs: on a disk, a third of the time of a test's
 * database goes into creating and removing files.
 */
const IN_MEMORY = '/dev/shm'
const ROOM_BYTES = 4 * 2 ** 30
// biome-ignore lint/style/noProcessEnv: where the test run reads its environment, which its programs inherit
if (process.env.TMPDIR === undefined && isRoomy(IN_MEMORY)) process.env.TMPDIR = IN_MEMORY

/** Whether a directory is a file system with enough room, whose programs can be executed. */
function isRoomy(directory: string): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === directory)
    const { bavail, bsize } = statfsSync(directory)
    return mount !== undefined && !mount.includes('noexec') && bavail * bsize > ROOM_BYTES
  } catch {
    return false
  }
}

/** Lists at the end the suites that `leftOut` of `packages/testing` skipped for want of a program. */
class LeftOut implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const suites = modules.flatMap((module) =>
      [...module.children.allSuites()].filter(({ name }) => / \(left out: /.test(name)),
    )
    if (suites.length === 0) return
    const names = new Set(suites.map(({ project, fullName }) => `   ${project.name}: ${fullName}\n`))
    process.stdout.write(` Not tested on this machine:\n${[...names].join('')}\n`)
  }
}

/** `.ci/tests.mjs` reads the JSON report. */
// biome-ignore lint/style/noProcessEnv: where the test run reads its environment
const reporters = ['default' as const, ...(process.env.CI ? (['json'] as const) : []), new LeftOut()]

/**
 * All files of a worker share its modules, and built ones are not transformed again: loading them was half the time of a
 * short file. So no module keeps state of a test file, and a file stops what it starts.
 */
const together = { isolate: false, server: { deps: { external: [/\/(apps|packages)\/[^/]+\/dist\//] } } }

/** Limits that only a hanging test reaches, on a busy machine too. A poll ends first, and names its condition. */
const patient = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 60_000 } } }

/** Tests of pure functions. */
const pure = { ...together, ...patient, include: ['src/**/*.test.ts'] }

/** Tests that start a PostgreSQL each. */
const startsPostgres = { ...patient, include: ['test/**/*.test.ts'] }

/**
 * Most code of a test runs a few times. Node 20, whose V8 has one optimizing compiler for all, would spend a tenth of the
 * processor time on it; later ones do not know this flag.
 */
const v8Flags = process.versions.node.startsWith('20.') ? ['--interrupt-budget=3000000'] : []

/** Black-box tests, with databases of one PostgreSQL that all these projects share. */
const blackBox = {
  ...startsPostgres,
  execArgv: v8Flags,
  globalSetup: [join(import.meta.dirname, 'packages/testing/src/postgres.ts')],
}
const server = { ...blackBox, ...together, root: 'apps/server' }

/** The longest projects and files. They run first, so that no long file runs alone at the end. */
const LONG_PROJECTS = [
  'high-availability',
  'web',
  'cli',
  'python',
  'three-instances',
  'two-cells',
  'postgres-embedded',
  'operator',
  'db',
  'release',
  'deployment',
  'server',
]
const LONG_FILES =
  /\/(accessibility|documents|faults|fairness|bad-input|embedded|backup|talk|credential|unread)\.test\.ts$/

/** Keeps the files of a project together, as they share workers. */
class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications)
    const rank = ({ project, moduleId }: TestSpecification) => {
      const place = LONG_PROJECTS.indexOf(project.name)
      return 2 * (place < 0 ? LONG_PROJECTS.length : place) + (LONG_FILES.test(moduleId) ? 0 : 1)
    }
    return sorted.sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Most files often wait for programs that they started.
    maxWorkers: 2 * availableParallelism(),
    reporters,
    outputFile: { json: '.ci/vitest.json' },
    projects: [
      { test: { name: 'scripts', root: 'scripts', include: ['**/*.test.mjs'] } },
      { test: { ...pure, name: 'domain', root: 'packages/domain' } },
      { test: { ...pure, name: 'fair', root: 'packages/fair' } },
      { test: { ...pure, name: 'merkle', root: 'packages/merkle' } },
      { test: { ...pure, name: 'api', root: 'packages/api' } },
      { test: { ...pure, name: 'summarizer', root: 'packages/summarizer' } },
      { test: { ...startsPostgres, name: 'postgres-embedded', root: 'packages/postgres-embedded' } },
      { test: { ...startsPostgres, name: 'db', root: 'packages/db' } },
      { test: { ...startsPostgres, name: 'operator', root: 'packages/operator' } },
      { test: { ...server, name: 'server' } },
      ...(ownPostgres ? [{ test: { ...server, name: 'server, own PostgreSQL', provide: { ownPostgres } } }] : []),
      { test: { ...blackBox, ...together, name: 'client', root: 'packages/client' } },
      { test: { ...blackBox, name: 'python', root: 'clients/python' } },
      { test: { ...blackBox, ...together, name: 'cli', root: 'apps/cli', setupFiles: ['test/support/set-up.ts'] } },
      {
        test: {
          ...blackBox,
          ...together,
          name: 'web',
          root: 'apps/web',
          include: ['{src,test}/**/*.test.ts'],
          setupFiles: ['test/support/set-up.mjs'],
        },
      },
      { test: { ...blackBox, name: 'git-history', root: 'examples/git-history' } },
      { test: { ...blackBox, name: 'generated-clients', root: 'examples/generated-clients' } },
      { test: { ...blackBox, name: 'three-instances', root: 'examples/three-instances' } },
      { test: { ...startsPostgres, name: 'high-availability', root: 'examples/high-availability' } },
      { test: { ...blackBox, name: 'merge-gate', root: 'examples/merge-gate' } },
      { test: { ...blackBox, name: 'two-cells', root: 'examples/two-cells' } },
      { test: { ...blackBox, name: 'deployment', root: 'examples/deployment' } },
      { test: { ...blackBox, name: 'monitoring', root: 'examples/monitoring' } },
      { test: { ...blackBox, name: 'point-in-time-recovery', root: 'examples/point-in-time-recovery' } },
      ...(process.platform === 'linux' ? [{ test: { ...startsPostgres, name: 'release', root: 'release' } }] : []),
    ],
  },
})
