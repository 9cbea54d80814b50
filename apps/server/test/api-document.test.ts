import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { procedures, proceduresOf, rowsOf } from './documents/operations.js'
import { withRegions } from './documents/text.js'

const REFERENCE = fileURLToPath(new URL('../../../docs/api.md', import.meta.url))

it('the reference has a row for each operation, as pnpm docs:api writes it', async () => {
  const reference = await readFile(REFERENCE, 'utf8')
  const documented: string[] = []
  const written = withRegions(reference, 'operations', (begin) => {
    const names = proceduresOf(begin, reference)
    documented.push(...names)
    return rowsOf(names)
  })
  expect(documented.toSorted()).toEqual(procedures.toSorted())
  await expect(written).toMatchFileSnapshot(REFERENCE)
})
