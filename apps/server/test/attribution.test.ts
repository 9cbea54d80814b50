import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * The speaker of an event or a decision is unproved, so every surface shows the authenticated poster first, by the
 * functions of `packages/domain/src/attribution.ts`. A file that reads the names itself bypasses them.
 */

const ROOT = join(import.meta.dirname, '../../..')

/** Files that accept, store, erase or return the speaker of an event beside its poster. */
const SPEAKERS = [
  'apps/cli/src/archive/people.ts',
  'apps/cli/src/transfer/draft.ts',
  'apps/cli/src/transfer/export-check.ts',
  'apps/cli/src/transfer/record.ts',
  'packages/api/src/events/attribution.ts',
  'packages/api/src/incoming/post.ts',
  'packages/api/src/presenters/event.ts',
  'packages/api/src/presenters/thread.ts',
  'packages/api/src/routers/event/write.ts',
  'packages/api/src/schemas/event.ts',
  'packages/api/src/schemas/thread.ts',
  'packages/db/src/search/filter.ts',
  'packages/db/src/space/activity.ts',
  'packages/db/src/thread/thread.ts',
  'packages/domain/src/attribution.ts',
  'packages/domain/src/event.ts',
  'packages/domain/src/limits.ts',
  'packages/merkle/src/redacted.ts',
]

/** Files that accept, store, erase or return the proposer or settler of a decision. Some only send the caller's ID. */
const AUTHORS = [
  'apps/cli/src/acp/permission.ts',
  'apps/cli/src/commands/decision/propose.ts',
  'apps/cli/src/commands/decision/settle.ts',
  'apps/server/src/http/mcp/tools.ts',
  'apps/web/src/shared/query/decision.ts',
  'apps/web/src/shared/query/sample.ts',
  'packages/api/src/presenters/decision.ts',
  'packages/api/src/presenters/search.ts',
  'packages/api/src/routers/decision.ts',
  'packages/api/src/schemas/act.ts',
  'packages/api/src/schemas/decision.ts',
  'packages/api/src/schemas/search.ts',
  'packages/api/src/summaries/summaries.ts',
  'packages/db/src/context/context.ts',
  'packages/db/src/decision/decision.ts',
  'packages/db/src/decision/proposal.ts',
  'packages/db/src/decision/record.ts',
  'packages/db/src/decision/search.ts',
  'packages/db/src/decision/window.ts',
  'packages/db/src/integrity/columns.ts',
  'packages/db/src/search/filter.ts',
  'packages/domain/src/act.ts',
  'packages/domain/src/attribution.ts',
  'packages/domain/src/context/excerpt.ts',
  'packages/merkle/src/redacted.ts',
  'packages/operator/src/check/acts.ts',
  'packages/operator/src/check/decision-history.ts',
  'packages/operator/src/erasure/catalogue.ts',
]

/** Returns the source files of the product, without tests, test support and generated files. */
async function sources(): Promise<string[]> {
  const roots = ['apps', 'packages'].map((group) =>
    readdir(join(ROOT, group)).then((names) =>
      names.filter((name) => name !== 'testing').map((name) => join(ROOT, group, name, 'src')),
    ),
  )
  const found = await Promise.all(
    (await Promise.all(roots))
      .flat()
      .map((root) => readdir(root, { recursive: true }).then((files) => files.map((file) => join(root, file)))),
  )
  return found.flat().filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.includes('/generated/'))
}

async function filesThatName(names: RegExp): Promise<string[]> {
  const files = await sources()
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return files.filter((_, index) => names.test(texts[index] as string)).map((file) => relative(ROOT, file))
}

/** Searches for the names of properties, columns and JSON fields. */
describe('only the listed files read', () => {
  it.each([
    ['the speaker of an event', /\bspeaker_?name\b/i, SPEAKERS],
    ['the author of a decision', /\b(?:proposed|resolved)_?by\b/i, AUTHORS],
  ])('%s', async (_, names, allowed) => {
    expect((await filesThatName(names)).sort()).toEqual(allowed)
  })
})
