import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { useDirectory } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'

const workflow = await readFile(new URL('../../.github/workflows/release.yml', import.meta.url), 'utf8')

it('signs the provenance of every file before any of them is published', () => {
  const [published = ''] = /gh release create \S+ (\S+)/.exec(workflow)?.slice(1) ?? []
  const attested = workflow.indexOf(`uses: actions/attest-build-provenance@`)
  expect(published).not.toBe('')
  expect(attested).toBeGreaterThan(-1)
  expect(workflow.slice(attested)).toContain(`subject-path: ${published}\n`)
  for (const step of ['gh release create', 'npm publish', 'skopeo copy']) {
    expect(attested, step).toBeLessThan(workflow.indexOf(step))
  }
  for (const permission of ['id-token', 'attestations']) expect(workflow).toContain(`${permission}: write`)
})

describe('the workflow', () => {
  const place = useDirectory()
  const FILES = ['collab-spaces-cli-1.2.3.tgz', 'collaboration-spaces-1.2.3.oci.tar', 'collaboration-spaces-1.2.3.tgz']

  beforeAll(async () => {
    for (const directory of ['artifacts', 'bin']) await mkdir(join(place.path, directory))
    for (const file of FILES) await writeFile(join(place.path, 'artifacts', file), '')
    for (const program of ['npm', 'skopeo']) {
      await writeFile(join(place.path, 'bin', program), `#!/bin/sh\necho ${program} "$@"\n`)
      await chmod(join(place.path, 'bin', program), 0o755)
    }
  })

  /** Runs the script of a step, with programs that print their arguments. */
  async function runStep(name: string, env: Record<string, string>): Promise<string[]> {
    const [, script = ''] = new RegExp(`name: ${name}\\n[\\s\\S]*?run: \\|\\n((?: {10}.*\\n)+)`).exec(workflow) ?? []
    const PATH = `${join(place.path, 'bin')}:/usr/bin:/bin`
    const options = { cwd: place.path, env: { ...env, PATH, GITHUB_REF_NAME: 'v1.2.3' } }
    const { stdout } = await promisify(execFile)('bash', ['-e', '-c', script], options)
    return stdout.trimEnd().split('\n')
  }

  it.each([
    [
      'Publish the packages',
      { PUBLISH_PACKAGES: 'true' },
      [
        'npm publish artifacts/collab-spaces-cli-1.2.3.tgz --access public --provenance',
        'npm publish artifacts/collaboration-spaces-1.2.3.tgz --access public --provenance',
      ],
    ],
    [
      'Publish the image',
      { IMAGE: 'images.example.org/spaces', IMAGE_CREDENTIALS: 'ada:secret' },
      ['1.2.3', 'latest'].map(
        (tag) =>
          'skopeo copy --all --dest-creds ada:secret oci-archive:artifacts/collaboration-spaces-1.2.3.oci.tar ' +
          `docker://images.example.org/spaces:${tag}`,
      ),
    ],
  ])('runs "%s" only if the repository enables it', async (name, env, commands) => {
    expect(await runStep(name, env)).toEqual(commands)
    expect(await runStep(name, {})).toEqual([expect.stringMatching(/^::notice::The \w+ (is|are) not published: /)])
  })
})
