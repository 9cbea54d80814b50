import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Against a PostgreSQL of one's own too, when one is named. Its role must be allowed to create databases. */
// biome-ignore lint/style/noProcessEnv: where the test run reads its environment
const ownPostgres = process.env.TEST_DATABASE_URL

/** For a machine that counts: `.ci/tests.mjs` reads the report. */
// biome-ignore lint/style/noProcessEnv: where the test run reads its environment
const reporters = process.env.CI ? ['default', 'json'] : ['default']

/**
 * A worker loads modules once for all files that it runs, what is built without transforming it again: that was half
 * the work of a short file. So no module keeps anything of a test file, and what a file starts it also ends.
 */
const together = { isolate: false, server: { deps: { external: [/\/(apps|packages)\/[^/]+\/dist\//] } } }

/** Tests of pure functions. Those that try hundreds of made-up values take their time beside the others. */
const pure = { ...together, include: ['src/**/*.test.ts'], testTimeout: 120_000 }

/** Tests that start a PostgreSQL of their own. */
const startsPostgres = { include: ['test/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 }

/** Tests that talk to the real thing, over databases of one PostgreSQL that all these projects share. */
const blackBox = {
  include: ['test/**/*.test.ts'],
  globalSetup: [join(import.meta.dirname, 'packages/testing/src/postgres.ts')],
  testTimeout: 120_000,
  hookTimeout: 120_000,
}
const server = { ...blackBox, ...together, root: 'apps/server' }

export default defineConfig({
  test: {
    // Most files wait for programs that they started, and now and then for nothing else.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    reporters,
    outputFile: { json: '.ci/vitest.json' },
    projects: [
      { test: { ...pure, name: 'domain', root: 'packages/domain' } },
      { test: { ...pure, name: 'api', root: 'packages/api' } },
      { test: { ...pure, name: 'summarizer', root: 'packages/summarizer' } },
      { test: { ...startsPostgres, name: 'postgres-embedded', root: 'packages/postgres-embedded' } },
      { test: { ...startsPostgres, name: 'db', root: 'packages/db' } },
      { test: { ...server, name: 'server' } },
      ...(ownPostgres ? [{ test: { ...server, name: 'server, own PostgreSQL', provide: { ownPostgres } } }] : []),
      { test: { ...blackBox, name: 'client', root: 'packages/client' } },
      { test: { ...blackBox, name: 'cli', root: 'apps/cli' } },
      { test: { ...blackBox, name: 'web', root: 'apps/web', include: ['{src,test}/**/*.test.ts'] } },
      { test: { ...blackBox, name: 'git-history', root: 'examples/git-history' } },
      { test: { ...blackBox, name: 'three-instances', root: 'examples/three-instances' } },
      { test: { ...blackBox, name: 'deployment', root: 'examples/deployment' } },
    ],
  },
})
