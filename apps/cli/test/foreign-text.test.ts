import { execFile } from 'node:child_process'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { CALLS } from './support/commands.js'
import { EXPORTED, hostileServer, IDS, MARK, PAYLOAD, type Temper } from './support/hostile-server.js'
import { environment, freshHome, homeOfFile, MAIN, signedInAs, spaces, terminal, useServer } from './support/index.js'

/** A run of a command with its output. */
interface Ran {
  readonly name: string
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly isTerminal: boolean
}

interface CommandCase {
  readonly name: string
  readonly args: readonly string[]
  readonly stdin?: string
  readonly isInterrupted?: true
  readonly temper: Temper
  readonly variant: number
  /** The width of the terminal; null for a pipe. */
  readonly columns: number | null
}

/** The machine that the command runs on. */
interface Machine {
  readonly env?: Readonly<Record<string, string>>
  readonly platform?: NodeJS.Platform
}

const server = useServer()
let mallory: Awaited<ReturnType<typeof hostileServer>>

beforeAll(async () => {
  mallory = await hostileServer(await server.get('/openapi.json').expect(200))
  return () => mallory.close()
})

const MANY_RUNS = fileURLToPath(new URL('support/many-runs.mjs', import.meta.url))

/** Runs commands one after another in one process, each with an account at the hostile server. */
async function run(
  wanted: readonly CommandCase[],
  { env = {}, platform = process.platform }: Machine = {},
): Promise<Ran[]> {
  const home = homeOfFile()
  const runs = wanted.map(({ temper, variant, ...call }) => {
    const url = mallory.urlOf(temper, variant)
    const me = { url, token: IDS.key, actor_id: IDS.human, display_name: PAYLOAD }
    const files = {
      [join(home, '.config/spaces/config.json')]: JSON.stringify({ current: 'me', profiles: { me } }),
      [join(home, '.config/spaces/aliases.json')]: JSON.stringify({ odd: `say ${PAYLOAD}` }),
    }
    return { ...call, files, env: { SPACES_URL: url } }
  })
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [MANY_RUNS],
      { env: environment({ env: { TERM: 'xterm-256color', ...env } }), maxBuffer: 2 ** 30 },
      (error, stdout, stderr) => (error ? reject(new Error(stderr, { cause: error })) : resolve(stdout)),
    )
    child.stdin?.end(JSON.stringify({ main: join(MAIN, '../../dist/main.js'), platform, runs }))
  })
  return (JSON.parse(output) as { code: number; stdout: string; stderr: string }[]).map((written, index) => {
    const { name, columns } = wanted[index] as CommandCase
    return { ...written, name, isTerminal: columns !== null }
  })
}

/** The escape sequences of the command's own styles. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches escapes
const OWN_STYLES = /\u001b\[(?:[1-4]|7|9|2[234789]|3[1-6]|39|90)m/g
/** All controls except line breaks, and invisible characters. */
const FORBIDDEN = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]/u

function requireClean({ name, stdout, stderr, isTerminal }: Ran): void {
  // The progress line is overwritten.
  const shown = (stdout + (isTerminal ? stderr.replaceAll('\r', '') : stderr)).replaceAll(OWN_STYLES, '')
  const found = FORBIDDEN.exec(shown)
  const code = found?.[0].codePointAt(0)?.toString(16)
  expect(
    found && `${name} ${code}: ${JSON.stringify(shown.slice(Math.max(0, found.index - 80), found.index + 20))}`,
  ).toBeNull()
}

/** Returns every string in a value, and every name of a field. */
function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  if (typeof value !== 'object' || value === null) return
  for (const [name, one] of Object.entries(value)) {
    yield name
    yield* stringsIn(one)
  }
}

const EXPORTS = ['log export', 'log receipt', 'audit export', 'export']

/** Commands that print an answer unchanged in a pipe. */
const VERBATIM = [...EXPORTS, 'api']

const calls = Object.entries(CALLS).flatMap(([name, all]) =>
  all.map(({ args, ...more }) => ({ name, args: [...name.split(' '), ...args], ...more })),
)

/** Returns every call of every command for these conditions. */
const everyCall = (temper: Temper, variant: number, columns: number | null, ...flags: string[]): CommandCase[] =>
  calls.map((call) => ({ ...call, args: [...call.args, ...flags], temper, variant, columns }))

it('CALLS contains every command', async () => {
  const namesIn = (help: string) =>
    Array.from((help.split(/^Commands:$/m)[1] ?? '').matchAll(/^ {2}([a-z-]+)(?=[| ])/gm), ([, name]) => name as string)
  const help = async (names: readonly string[]) =>
    run(names.map((name) => ({ name, args: [name, '--help'], temper: 'plausible', variant: 0, columns: 200 })))
  const [top] = await run([{ name: '', args: ['--help'], temper: 'plausible', variant: 0, columns: 200 }])
  const nouns = Array.from(
    (top as Ran).stdout.matchAll(/^ {2}([a-z]+) (?=.*\s{2}[A-Z])/gm),
    ([, name]) => name as string,
  )
  const registered = (await help(nouns)).flatMap(({ name, stdout }) => {
    const verbs = namesIn(stdout).map((verb) => `${name} ${verb}`)
    return /^Usage: spaces \S+ \[options\] \[command\]$/m.test(stdout) && !(name in CALLS) ? verbs : [name, ...verbs]
  })
  expect(registered.length).toBeGreaterThan(100)
  expect(registered.sort()).toEqual(Object.keys(CALLS).sort())
})

it('only three modules write to the terminal', async () => {
  const source = fileURLToPath(new URL('../src', import.meta.url))
  const files = (await readdir(source, { recursive: true })).filter((path) => path.endsWith('.ts'))
  const writing = []
  for (const path of files) {
    if (/process\.std(out|err)\.write|console\./.test(await readFile(join(source, path), 'utf8'))) writing.push(path)
  }
  expect(writing.sort()).toEqual(['main.ts', 'terminal/output.ts', 'terminal/progress.ts'])
})

describe('foreign text', () => {
  it.each([
    ['plausible', 0, null],
    ['plausible', 1, 40],
    ['plausible', 2, 80],
    ['hostile', 0, 200],
  ] as const)('has no controls in tables: %s, variant %d, %s columns', async (temper, variant, columns) => {
    const runs = await run(everyCall(temper, variant, columns))
    for (const ran of runs) if (columns !== null || !VERBATIM.includes(ran.name)) requireClean(ran)
    const shown = runs.filter(({ stdout, stderr }) => (stdout + stderr).includes(MARK))
    expect(shown.length).toBeGreaterThan(60)
  })

  it.each([
    ['plausible', 1, null],
    ['hostile', 2, 80],
  ] as const)('is escaped but complete in JSON: %s, variant %d, %s columns', async (temper, variant, columns) => {
    const runs = await run(everyCall(temper, variant, columns, '--json'))
    let payloads = 0
    for (const ran of runs) {
      if (VERBATIM.includes(ran.name)) continue
      requireClean(ran)
      for (const text of ran.code === 0 ? stringsIn(JSON.parse(ran.stdout || 'null')) : []) {
        expect(`${ran.name}: ${text}`).not.toContain('\ufffd')
        if (text.includes(PAYLOAD)) payloads++
      }
    }
    expect(payloads).toBeGreaterThan(100)
  })

  it('has no controls in errors and their hints', async () => {
    const [first] = everyCall('refusing', 0, 40)
    const others = [1, 2, 3].map((variant) => ({ ...(first as CommandCase), variant }))
    const runs = await run([...everyCall('refusing', 0, 40), ...others])
    for (const ran of runs) requireClean(ran)
    expect(runs.filter(({ stderr }) => stderr.includes(MARK)).length).toBeGreaterThan(100)
  })

  it('has no controls in completions', async () => {
    const words = calls.flatMap(({ name }) => [
      [...name.split(' '), ''],
      [...name.split(' '), 'plans', ''],
    ])
    const completions = words.map((line): CommandCase => {
      const args = ['__complete', ...line]
      return { name: args.join(' '), args, temper: 'plausible', variant: 0, columns: null }
    })
    const runs = await run(completions)
    for (const ran of runs) requireClean({ ...ran, stdout: ran.stdout.replaceAll('\t', '') })
    expect(runs.filter(({ stdout }) => stdout.includes(MARK)).length).toBeGreaterThan(20)
  })

  it('is not passed to file names, a keyring or a browser', async () => {
    const tools = await freshHome()
    const record = join(tools, 'record')
    for (const name of ['security', 'secret-tool', 'browser']) {
      await writeFile(
        join(tools, name),
        `#!/bin/sh\nprintf '%s\\n' "$0" "$@" >> '${record}'\ncat >> '${record}'\nexit 1\n`,
      )
      await chmod(join(tools, name), 0o755)
    }
    const env = { PATH: tools + delimiter + environment({}).PATH, SPACES_KEYRING: '', BROWSER: 'browser' }
    const runs = await run([...everyCall('plausible', 1, null), ...everyCall('hostile', 1, null)], {
      env,
      platform: 'darwin',
    })
    const recorded = await readFile(record, 'utf8')
    expect(recorded).toMatch(/add-generic-password/)
    expect(recorded).toMatch(/\/s\/plans\?thread=/)
    expect(recorded).not.toMatch(FORBIDDEN)
    expect(recorded).not.toMatch(/^quit/m)
    const paths = await readdir(homeOfFile(), { recursive: true })
    expect(paths.filter((path) => path.includes(MARK))).toEqual([])
    const refused = runs.filter(({ stderr }) => stderr.includes('The server sent a malformed'))
    expect([...new Set(refused.map(({ name }) => name))].sort()).toEqual(
      ['account rotate-key', 'agent invite', 'agent join', 'agent run', 'login', 'signup'].sort(),
    )
  })
})

describe('a real terminal', () => {
  /** The server rejects NUL. */
  const TEXT = PAYLOAD.replace('\u0000', '')
  const VISIBLE = '\u{1f469}\u200d\u{1f680} \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u2764\ufe0f'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for controls
  const CONTROLLING = /\u001b\[5m|\u001b\]52|[\u0080-\u009f\u202a-\u202e\u2066-\u2069\u200b\u00ad]/

  it.each([40, 80, 200])(
    'shows a description without controls, and emoji and joined letters unchanged: %d columns',
    async (columns) => {
      const ada = await server.registerHuman('Ada')
      const space_id = `plans-${columns}`
      const description = `${TEXT.trimEnd()} ${VISIBLE}`
      await server.as(ada).post('/api/spaces', { space_id, description }).expect(200)
      for (const args of [['list'], ['show', space_id]]) {
        const person = terminal(['space', ...args], { env: signedInAs(server, ada), columns })
        expect(await person.end()).toBe(0)
        expect(person.output).not.toMatch(CONTROLLING)
        expect(person.output).toContain(MARK)
      }
      const { stdout } = await spaces(['space', 'show', space_id], { env: signedInAs(server, ada) }).expect(0)
      expect(stdout).toContain(VISIBLE)
    },
  )

  it('shows names without controls in questions', async () => {
    const env = { SPACES_URL: mallory.urlOf('plausible', 1), SPACES_TOKEN: IDS.key }
    const person = terminal(['account', 'delete'], { env })
    await person.waitFor('for good.')
    person.press('ctrl-c')
    expect(await person.end()).toBe(2)
    expect(person.output).toContain(MARK)
    expect(person.output).not.toMatch(CONTROLLING)
  })
})

describe('an export', () => {
  const exporting = (columns: number | null) =>
    run(everyCall('plausible', 0, columns).filter(({ name }) => EXPORTS.includes(name)))

  it('is unchanged in a pipe', async () => {
    const runs = await exporting(null)
    expect(runs).toHaveLength(EXPORTS.length)
    for (const { name, stdout } of runs) {
      expect(stdout).toContain(JSON.stringify(PAYLOAD).slice(1, -1))
      if (name === 'log export') expect(stdout).toBe(EXPORTED)
    }
  })

  it('has the same values, without controls, in a terminal', async () => {
    const valuesIn = ({ stdout }: Ran) => stdout.split('\n').map((line) => line && JSON.parse(line))
    const [piped, shown] = [await exporting(null), await exporting(80)]
    for (const ran of shown) requireClean(ran)
    expect(shown.map(valuesIn)).toEqual(piped.map(valuesIn))
  })
})

describe('the answer of `spaces api`', () => {
  const asking = (columns: number | null, ...flags: string[]) =>
    run(everyCall('plausible', 0, columns, ...flags).filter(({ name }) => name === 'api'))

  it.each([[[]], [['--json']]])('has the same values, without controls, in a terminal: %s', async (flags) => {
    const [json, , pages] = await asking(80, ...flags)
    const [piped] = await asking(null)
    for (const ran of await asking(80, ...flags)) requireClean(ran)
    expect(JSON.parse((json as Ran).stdout)).toEqual(JSON.parse((piped as Ran).stdout))
    expect(JSON.parse((pages as Ran).stdout)).toEqual(JSON.parse((piped as Ran).stdout))
  })

  it('is unchanged in a pipe', async () => {
    const [, text] = await asking(null)
    expect((text as Ran).stdout).toBe(PAYLOAD)
  })
})
