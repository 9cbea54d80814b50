import { defineConfig } from 'vitest/config'

/** Against a PostgreSQL of one's own too, when one is named. Its role must be allowed to create databases. */
// biome-ignore lint/style/noProcessEnv: where the test run reads its environment
const ownPostgres = process.env.TEST_DATABASE_URL

/** For a machine that counts: `.ci/run` reads the report. */
// biome-ignore lint/style/noProcessEnv: where the test run reads its environment
const reporters = process.env.CI ? ['default', 'json'] : ['default']

const blackBox = {
  root: 'apps/server',
  include: ['test/**/*.test.ts'],
  globalSetup: ['test/support/database.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

export default defineConfig({
  test: {
    reporters,
    outputFile: { json: '.ci/report.json' },
    projects: [
      { test: { name: 'domain', root: 'packages/domain', include: ['src/**/*.test.ts'] } },
      { test: { name: 'summarizer', root: 'packages/summarizer', include: ['src/**/*.test.ts'] } },
      {
        test: {
          name: 'db',
          root: 'packages/db',
          include: ['test/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { ...blackBox, name: 'server' } },
      ...(ownPostgres ? [{ test: { ...blackBox, name: 'server, own PostgreSQL', provide: { ownPostgres } } }] : []),
    ],
  },
})
