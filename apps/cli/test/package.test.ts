import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { environment, MAIN, signedInAs, useDirectory, useServer } from './support/index.js'

const server = useServer()
const run = promisify(execFile)
const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const PREPACK = fileURLToPath(new URL('../../../scripts/prepack', import.meta.url))

/** A folder with the packed command installed, outside of the workspace. */
const elsewhere = useDirectory()

beforeAll(async () => {
  // Packs the existing build, which other tests use meanwhile.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', elsewhere.path], { cwd: PACKAGE })
  const [tarball] = await readdir(elsewhere.path)
  const quietly = ['--no-audit', '--no-fund', '--offline', '--loglevel=error']
  await run('npm', ['install', '--global', ...quietly, '--prefix', elsewhere.path, `./${tarball}`], {
    cwd: elsewhere.path,
  })
})

const installed = (path: string) => join(elsewhere.path, 'lib/node_modules/@collab-spaces/cli', path)

describe('the packed command', () => {
  it('has no dependencies, and no scripts that run on installation', async () => {
    expect(await readdir(join(elsewhere.path, 'lib/node_modules'))).toEqual(['@collab-spaces'])
    expect(await readdir(join(elsewhere.path, 'lib/node_modules/@collab-spaces'))).toEqual(['cli'])
    expect(await readdir(installed('.'))).not.toContain('node_modules')
    const { dependencies, scripts, publishConfig, repository, bugs } = JSON.parse(
      await readFile(installed('package.json'), 'utf8'),
    )
    expect(dependencies).toBeUndefined()
    expect(publishConfig).toEqual({ access: 'public' })
    expect(repository.directory).toBe('apps/cli')
    expect(bugs).toMatch(/^https:/)
    expect(Object.keys(scripts)).not.toEqual(expect.arrayContaining([expect.stringMatching(/install|prepare/)]))
  })

  it('runs by its name', async () => {
    const spaces = join(elsewhere.path, 'bin/spaces')
    expect((await stat(spaces)).mode & 0o111).toBe(0o111)
    const ada = await server.registerHuman('Ada')
    const options = { env: environment({ env: signedInAs(server, ada) }) }
    expect((await run(spaces, ['--version'], options)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    await run(spaces, ['space', 'create', 'plans'], options)
    const { stdout } = await run(spaces, ['space', 'list', '--json'], options)
    expect(JSON.parse(stdout)).toMatchObject([{ space_id: 'plans' }])
  })

  it('contains its licence and those of all bundled packages', async () => {
    expect((await readdir(installed('.'))).sort()).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'package.json'])
    expect(await readFile(installed('LICENSE'), 'utf8')).toContain('MIT License')
    const notices = await readFile(installed('dist/THIRD-PARTY.txt'), 'utf8')
    for (const name of ['commander', '@trpc/client', '@clack/prompts', 'jq-wasm', 'picocolors']) {
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
    }
    expect(notices).not.toContain('@collab-spaces')
  })
})

describe('a package that cannot be built', () => {
  it('is not packed', async () => {
    const alone = join(elsewhere.path, 'alone')
    const folder = join(alone, 'apps/cli')
    await mkdir(folder, { recursive: true })
    await cp(join(PACKAGE, 'package.json'), join(folder, 'package.json'))
    await cp(PREPACK, join(alone, 'scripts/prepack'))
    await expect(run('npm', ['pack', '--silent'], { cwd: folder })).rejects.toThrow()
    expect(await readdir(folder)).toEqual(['package.json'])
  })
})

describe('an older Node', () => {
  const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
  const VERSION = '18.20.8'
  const asOlder = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${VERSION}'}})`
  const tools = useDirectory()
  const oneLine = {
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^.*[Nn]eeds Node 20\.19 or later, not v?18\.20\.8\n$/),
  }

  it.each(['apps/cli/bin/spaces.js', 'apps/server/dist/main.js'])('is rejected in one line by %s', async (program) => {
    await expect(run(process.execPath, ['--import', asOlder, join(ROOT, program)])).rejects.toMatchObject(oneLine)
  })

  it('is rejected before a build', async () => {
    await writeFile(join(tools.path, 'node'), `#!/bin/sh\necho v${VERSION}\n`, { mode: 0o755 })
    const env = environment({ env: { PATH: `${tools.path}:/usr/bin:/bin` } })
    await expect(run(join(ROOT, 'scripts/turbo'), ['build'], { env })).rejects.toMatchObject(oneLine)
  })
})

describe('the compile cache of a newer Node', () => {
  const asNewer =
    'data:text/javascript,import module from "node:module";module.enableCompileCache=(path)=>process.stderr.write(path)'
  const home = useDirectory()

  /** Returns the directory that the command passes to Node; empty without one. */
  const directoryIn = async (env: Record<string, string>) =>
    (await run(process.execPath, ['--import', asNewer, MAIN, '--version'], { env: environment({ env }) })).stderr

  it('is in the home directory, where no other user can write', async () => {
    const { path } = home
    expect(await directoryIn({ HOME: path })).toBe(join(path, '.cache/spaces'))
    expect(await directoryIn({ HOME: path, XDG_CACHE_HOME: 'relative' })).toBe(join(path, '.cache/spaces'))
    expect(await directoryIn({ HOME: '/', XDG_CACHE_HOME: path })).toBe(join(path, 'spaces'))
  })

  it('is disabled without a home directory', async () => {
    expect(await directoryIn({ HOME: join(home.path, 'missing') })).toBe('')
  })
})
