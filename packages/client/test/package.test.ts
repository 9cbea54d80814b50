import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { operations } from '@collab-spaces/api'
import { type Actor, blocksIn, useDirectory, useProgram } from '@collab-spaces/testing'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, it } from 'vitest'
import type * as Published from '../src/index.js'

const h = useProgram()
/** A server without data, for the guide. */
const fresh = useProgram()

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const ADDRESS = 'http://127.0.0.1:8080'

const run = promisify(execFile)
const require = createRequire(import.meta.url)

/** A directory with the packed client installed in it, and no workspace around. */
const elsewhere = useDirectory()
let tarball: Buffer

beforeAll(async () => {
  // From the root, where npx finds the shell of .npmrc. Without scripts: concurrent tests use the build.
  await run(
    'npx',
    ['-y', 'pnpm@12', '-C', 'packages/client', 'pack', '--ignore-scripts', '--pack-destination', elsewhere.path],
    {
      cwd: ROOT,
    },
  )
  const [file = ''] = await readdir(elsewhere.path)
  tarball = await readFile(join(elsewhere.path, file))
  await writeFile(join(elsewhere.path, 'package.json'), '{"type":"module","private":true}')
  const tools = ['typescript', '@types/node'].map((name) => `${name}@${require(`${name}/package.json`).version}`)
  const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  await run('npm', ['install', ...quietly, `./${file}`, ...tools], { cwd: elsewhere.path })
})

const installed = (path: string) => join(elsewhere.path, 'node_modules/@collab-spaces/client', path)

/** Returns the TypeScript blocks of a Markdown file as one program. */
async function programIn(file: string, { url } = h): Promise<string> {
  const blocks = blocksIn(await readFile(join(ROOT, file), 'utf8')).filter(({ language }) => language === 'ts')
  expect(blocks.length).toBeGreaterThan(0)
  return blocks
    .map(({ text }) => text)
    .join('\n')
    .replaceAll(ADDRESS, url)
}

/** Compiles sources elsewhere, strictly and with declarations, to `out`. */
async function compile(name: string, source: string, more: object = {}): Promise<string> {
  const directory = join(elsewhere.path, name)
  await mkdir(directory)
  await writeFile(join(directory, 'main.ts'), source)
  const options = { strict: true, declaration: true, module: 'nodenext', target: 'es2022', types: ['node'], ...more }
  await writeFile(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, exactOptionalPropertyTypes: true }, include: ['main.ts'] }),
  )
  await run(process.execPath, [join(elsewhere.path, 'node_modules/typescript/bin/tsc'), '-p', directory]).catch(
    (error) => {
      throw new Error(error.stdout)
    },
  )
  return join(directory, 'main.js')
}

describe('the packed client', () => {
  it('passes package linters', async () => {
    const bytes = new Uint8Array(tarball)
    const { messages } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
    expect(messages).toEqual([])
    const checked = await checkPackage(createPackageFromTarballData(bytes))
    const problems = checked.types ? checked.problems : [{ kind: 'NoTypes' as const }]
    // The package has only ES modules: old `require` and resolutions without `exports` do not find it.
    const others = problems.filter(
      (problem) => !('resolutionKind' in problem && ['node10', 'node16-cjs'].includes(problem.resolutionKind)),
    )
    expect(others).toEqual([])
  })

  it('contains its files and dependencies, and no other package of the workspace', async () => {
    const { dependencies } = JSON.parse(await readFile(installed('package.json'), 'utf8'))
    expect(dependencies).toEqual({
      '@trpc/client': expect.stringMatching(/^\d/),
      '@trpc/server': expect.stringMatching(/^\d/),
      'eventsource-parser': expect.stringMatching(/^\d/),
    })
    expect(await readdir(join(elsewhere.path, 'node_modules/@collab-spaces'))).toEqual(['client'])
    expect((await readdir(installed('.'))).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'examples', 'package.json'])
    expect(await readdir(installed('dist'))).not.toContain('types')
    const types = await readFile(installed('dist/index.d.ts'), 'utf8')
    const imports = [...types.matchAll(/(?:from |import\()'([^']+)'/g)].map(([, name]) => name)
    expect(new Set(imports)).toEqual(new Set(['@trpc/client', '@trpc/server']))
    for (const file of (await readdir(installed('dist'))).filter((name) => name.endsWith('.js'))) {
      expect(await readFile(installed(`dist/${file}`), 'utf8')).not.toMatch(/@collab-spaces|node:/)
    }
  })

  it('has documentation and a named input type for every operation', async () => {
    const types = await readFile(installed('dist/index.d.ts'), 'utf8')
    for (const { name, meta, input } of operations) {
      const [noun = '', verb = ''] = name.split('.')
      const call = `readonly ${verb}: Calls['${noun}']['${verb}']`
      const documentation = types.slice(0, types.indexOf(call)).slice(-2_000)
      expect(documentation).toContain(`* ${meta.openapi.summary}`)
      expect(documentation.trimEnd()).toMatch(/\*\/$/)
      const type = [noun, verb, 'input'].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
      if (Object.keys(input.shape).length > 0) expect(types).toContain(`type ${type} =`)
    }
  })

  it('runs its README outside the workspace', async () => {
    const program = await compile('readme', await programIn('packages/client/README.md'))
    expect((await run(process.execPath, [program])).stdout).toBe('Ada: Where shall we go?\n')
  })

  it('runs the guide', async () => {
    const guide = 'docs/guides/typescript.md'
    const blocks = blocksIn(await readFile(join(ROOT, guide), 'utf8'))
    expect(blocks.length).toBeGreaterThan(8)
    expect(blocks.filter(({ language, notRun }) => language !== 'ts' && notRun === undefined)).toEqual([])
    const program = await compile('guide', await programIn(guide, fresh))
    const { stdout } = await run(process.execPath, [program], { cwd: dirname(program) })
    expect(stdout.trimEnd().split('\n')).toEqual([
      'Ada To the sea',
      expect.stringMatching(/^aborted [\w-]{36}$/),
      'context_event trip',
      'true',
      'space_id is already taken',
      'sent 22000 bytes',
      'got 22000 bytes',
      '4',
      'true',
    ])
  })

  it('compiles in a browser project without types of Node', async () => {
    await compile('browser', await programIn('packages/client/README.md'), { types: [], lib: ['es2022', 'dom'] })
  })

  it('compiles the code in the README of the service', async () => {
    await compile('service', await programIn('README.md'))
  })

  it('allows programs to export values with its types', async () => {
    await compile(
      'exported',
      `import { createClient, type SpaceStream } from '@collab-spaces/client'
export const client = createClient({ url: '${ADDRESS}' })
export const say = (text: string) => client.event.speech.mutate({ space_id: 'plans', text })
export const register = client.actor.register
export const watch = (): SpaceStream => client.stream('plans')
export const nouns = { space: client.space, token: client.token }
`,
    )
  })
})

describe('the packed client in a browser', () => {
  /** The globals of a page over plain HTTP, without `crypto.randomUUID`. */
  const page = () => ({
    fetch,
    AbortController,
    ReadableStream,
    Response,
    TextDecoder,
    URL,
    URLSearchParams,
    setTimeout,
    clearTimeout,
    performance,
    crypto: { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) },
  })

  it('uses only globals of browsers', async () => {
    const built = await rolldown({
      input: installed('dist/index.js'),
      platform: 'browser',
      onLog: (level, log) => {
        if (level === 'warn') throw new Error(log.message)
      },
    })
    const { output } = await built.generate({ format: 'iife', name: 'spaces' })
    await built.close()
    expect(output).toHaveLength(1)
    const { code, fileName, imports, dynamicImports } = output[0]
    // Dynamic imports are in the same file.
    expect([...imports, ...dynamicImports].filter((name) => name !== fileName)).toEqual([])
    expect(code).not.toMatch(/node:|\bprocess\.|\bBuffer\b|\brequire\(/)

    const ada: Actor = await h.registerHuman()
    const path = await h.openSpace(ada)
    const space_id = path.slice(path.lastIndexOf('/') + 1)
    const { createClient, SpacesError } = runInContext(`${code};spaces`, createContext(page())) as typeof Published
    const client = createClient({ url: h.url, token: ada.api_key })
    await client.event.speech.mutate({ space_id, text: '1' })
    await client.event.speech.mutate({ space_id, text: '2' })
    const texts: string[] = []
    for await (const { text } of client.stream(space_id)) {
      texts.push(text)
      if (texts.length === 2) break
    }
    expect(texts).toEqual(['1', '2'])
    await expect(client.space.create.mutate({ space_id })).rejects.toBeInstanceOf(SpacesError)
  })
})
