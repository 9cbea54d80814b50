import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { environment, signedInAs, useDirectory, useServer } from './support/index.js'

const server = useServer()
const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** A folder with the packed command installed in it, and no workspace around. */
const elsewhere = useDirectory()

beforeAll(async () => {
  // From the root, where npx finds the shell that .npmrc names.
  await run('npx', ['-y', 'pnpm@12', '-C', 'apps/cli', 'pack', '--pack-destination', elsewhere.path], { cwd: ROOT })
  const [tarball] = await readdir(elsewhere.path)
  const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--offline', '--loglevel=error']
  await run('npm', ['install', ...quietly, '--prefix', elsewhere.path, `./${tarball}`], { cwd: elsewhere.path })
}, 120_000)

const installed = (path: string) => join(elsewhere.path, 'node_modules/@collab-spaces/cli', path)

describe('the packed command', () => {
  it('comes alone, without scripts that run when it is installed', async () => {
    expect((await readdir(join(elsewhere.path, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
      '@collab-spaces',
    ])
    expect(await readdir(join(elsewhere.path, 'node_modules/@collab-spaces'))).toEqual(['cli'])
    const { dependencies, scripts } = JSON.parse(await readFile(installed('package.json'), 'utf8'))
    expect(dependencies).toBeUndefined()
    expect(Object.keys(scripts)).not.toEqual(expect.arrayContaining([expect.stringMatching(/install|prepare/)]))
  })

  it('runs by its name', async () => {
    const spaces = join(elsewhere.path, 'node_modules/.bin/spaces')
    expect((await stat(spaces)).mode & 0o111).toBe(0o111)
    const ada = await server.registerHuman('Ada')
    const options = { env: environment({ env: signedInAs(server, ada) }) }
    expect((await run(spaces, ['--version'], options)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    await run(spaces, ['space', 'create', 'plans'], options)
    const { stdout } = await run(spaces, ['space', 'list', '--json'], options)
    expect(JSON.parse(stdout)).toMatchObject([{ space_id: 'plans' }])
  })

  it('has its licence and those of all that is bundled', async () => {
    expect((await readdir(installed('.'))).sort()).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'package.json'])
    expect(await readFile(installed('LICENSE'), 'utf8')).toContain('MIT License')
    const notices = await readFile(installed('dist/THIRD-PARTY.txt'), 'utf8')
    for (const name of ['commander', '@trpc/client', '@clack/prompts', 'cli-table3', 'picocolors']) {
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
    }
    expect(notices).not.toContain('@collab-spaces')
  })
})
