import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const workflow = await readFile(new URL('../../.github/workflows/release.yml', import.meta.url), 'utf8')

it('signs the provenance of every file before any of them is published', () => {
  const [published = ''] = /gh release create \S+ (\S+)/.exec(workflow)?.slice(1) ?? []
  const attested = workflow.indexOf(`uses: actions/attest-build-provenance@`)
  expect(published).not.toBe('')
  expect(attested).toBeGreaterThan(-1)
  expect(workflow.slice(attested)).toContain(`subject-path: ${published}\n`)
  expect(attested).toBeLessThan(workflow.indexOf('gh release create'))
  for (const permission of ['id-token', 'attestations']) expect(workflow).toContain(`${permission}: write`)
})
