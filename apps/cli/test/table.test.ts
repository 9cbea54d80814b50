import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, signedInAs, spaces, terminal, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>

const WORDS = 'mountains rivers lighthouses harbours vineyards monasteries'
const DESCRIPTION = `Where to go: ${Array(4).fill(WORDS).join(' ')}`
const LONG_ID = `a-${'long-'.repeat(6)}name`

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  await server.as(ada).post('/api/spaces', { space_id: 'plans', description: DESCRIPTION }).expect(200)
  await server
    .as(ada)
    .post('/api/spaces', { space_id: LONG_ID, description: '行き先を決める'.repeat(12) })
    .expect(200)
})

/** Returns the screen of a terminal of this width, and the lines written, also those that do not fit. */
async function shownAt(columns: number, ...args: string[]) {
  const person = terminal(args, { env: { ...env, NO_COLOR: '1' }, columns, rows: 60 })
  expect(await person.end()).toBe(0)
  return { screen: person.screen, lines: person.output.split('\r\n') }
}

describe('a table', () => {
  it.each([100, 120])('fits a terminal of %d columns, and truncates cells after a word', async (columns) => {
    const { screen, lines } = await shownAt(columns, 'space', 'list')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
    expect(screen).toContain(LONG_ID)
    const [, shown = ''] = /(Where to go: .*)…$/m.exec(screen) ?? []
    expect(`${DESCRIPTION} `).toContain(`${shown} `)
  })

  it('shows one field a line where the columns do not fit', async () => {
    const { screen, lines } = await shownAt(50, 'space', 'list')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(50)
    expect(screen).toMatch(new RegExp(`^space +${LONG_ID}$`, 'm'))
    expect(screen).toMatch(/^events +0$/m)
  })

  it('counts wide characters as two columns', async () => {
    const { lines } = await shownAt(110, 'space', 'list')
    const wide = lines.find((line) => line.includes('行')) as string
    expect(wide.length + (wide.match(/\p{Script=Han}|\p{Script=Hiragana}/gu) ?? []).length).toBeLessThanOrEqual(110)
    expect(wide).toMatch(/…$/)
  })

  it('has whole IDs in a pipe, however long the line is', async () => {
    const { stdout } = await spaces(['space', 'list'], { env }).expect(0)
    expect(stdout).toContain(LONG_ID)
    expect(stdout).not.toMatch(/^space +/m)
  })
})

describe('a sentence', () => {
  /** Returns the lines written to a terminal of 50 columns without colours. */
  async function linesOf(code: number, ...args: string[]) {
    const person = terminal(args, { env: { ...env, NO_COLOR: '1' }, columns: 50, rows: 60 })
    expect(await person.end()).toBe(code)
    return person.output.trimEnd().split('\r\n')
  }

  it('is wrapped between words, but commands are not', async () => {
    expect(await linesOf(0, 'tenant', 'show')).toEqual([
      'You are in no tenant: you share spaces with all',
      'actors of this server without one.',
      'Create one: spaces tenant create NAME. Have an',
      'invite? Run: spaces invite redeem',
    ])
  })

  it('is wrapped on standard error, too', async () => {
    expect(await linesOf(1, 'read', 'plans', '--thread', 'nonsense')).toEqual([
      'spaces: Thread not found: no ID begins or ends',
      'with nonsense',
      'List them: spaces thread list plans',
    ])
    const [, , , ...rest] = await linesOf(0, 'agent', 'register', 'Scout', '--about', 'Looks around')
    expect(rest).toEqual(['Pass it to the agent as SPACES_TOKEN, and keep it', 'secret.'])
  })

  it('does not wrap a command that is longer than the line', async () => {
    const lines = await linesOf(0, 'decision', 'propose', 'plans', 'We go')
    expect(lines.slice(-2)).toEqual([
      'Resolve it:',
      expect.stringMatching(/^spaces decision resolve plans [0-9a-f-]{36}$/),
    ])
  })
})

describe('a long value', () => {
  it('is wrapped and indented', async () => {
    const { screen } = await shownAt(60, 'space', 'show', 'plans')
    expect(screen).toMatch(/^description {2}Where to go: mountains rivers lighthouses$/m)
    expect(screen).toMatch(/^ {13}harbours vineyards/m)
  })
})

describe('help', () => {
  it.each([['say'], ['read'], ['signup'], ['api'], ['decision', 'resolve']])(
    'of %s %s fits the terminal',
    async (...command) => {
      const { lines } = await shownAt(72, ...command.filter((word) => word !== undefined), '--help')
      const prose = lines.filter((line) => !/^ {2}\$ /.test(line))
      expect(prose.length).toBeGreaterThan(10)
      for (const line of prose) expect(line.length).toBeLessThanOrEqual(72)
    },
  )
})

const hasLess = spawnSync('less', ['--version']).error === undefined

describe('less', () => {
  it.skipIf(!hasLess)('shows non-ASCII characters without a locale', async () => {
    await server.openSpace(ada, 'letters')
    for (let n = 0; n < 20; n++)
      await server.as(ada).post('/api/spaces/letters/speech', { text: `Zürich → Genève ${n}` })
    const person = terminal(['read', 'letters'], { env: { ...env, PAGER: '', LANG: '' }, rows: 12 })
    await person.waitFor('── ')
    await person.waitFor('Zürich → Genève 0')
    person.type('q')
    expect(await person.end()).toBe(0)
    expect(person.screen).not.toContain('<E2>')
  })
})
