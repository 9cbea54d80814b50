import { spawnSync } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Actor,
  environment,
  freshHome,
  homeOfFile,
  MAIN,
  signedInAs,
  spaces,
  type Terminal,
  terminalWith,
  useServer,
} from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>

/** A directory for the PATH that contains the command. */
let bin: string

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  for (const space_id of ['team:plans', 'team:work', 'garden@home']) {
    await server
      .as(ada)
      .post('/api/spaces', { space_id, description: `About ${space_id}` })
      .expect(200)
  }
  bin = join(homeOfFile(), 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'spaces'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`)
  await chmod(join(bin, 'spaces'), 0o755)
  env = { ...signedInAs(server, ada), PATH: bin + delimiter + environment({}).PATH }
})

/** Returns the completions of the last word. */
async function complete(words: readonly string[], more: Record<string, string | undefined> = {}) {
  const run = await spaces(['__complete', ...words], { env: { ...env, ...more } }).expect(0)
  expect(run.stderr).toBe('')
  return run.lines.map((line) => line.split('\t')[0])
}

describe('completion', () => {
  it('offers commands and verbs with their descriptions', async () => {
    expect(await complete(['sp'])).toEqual(['space'])
    expect(await complete([''])).toEqual(expect.arrayContaining(['space', 'login', 'completion']))
    expect(await complete([''])).not.toContain('__complete')
    expect(await complete(['space', 'ar'])).toEqual(['archive'])
    expect(await complete(['help', 'space', 'ar'])).toEqual(['archive'])
    expect(await complete(['nonsense', ''])).toEqual([])
    const run = await spaces(['__complete', 'space', 'arch'], { env })
    expect(run.stdout).toBe('archive\tArchive a space; its history stays readable\n')
  })

  it('offers flags and their values', async () => {
    expect(await complete(['space', 'list', '--s'])).toEqual(['--status'])
    expect(await complete(['--url', 'x', 'space', 'list', '--js'])).toEqual(['--json'])
    expect(await complete(['space', 'list', '--status', ''])).toEqual(['active', 'paused', 'archived'])
    expect(await complete(['space', 'list', '--status=p'])).toEqual(['--status=paused'])
    expect(await complete(['completion', 'z'])).toEqual(['zsh'])
    expect(await complete(['api', 'GET', 'spaces', '--input', ''])).toEqual([':files'])
  })

  it('offers spaces of the server where a command takes one', async () => {
    expect(await complete(['space', 'show', 'team:'])).toEqual(['team:work', 'team:plans'])
    expect(await complete(['space', 'show', '--json', 'gar'])).toEqual(['garden@home'])
    expect(await complete(['link', 'add', 'team:work', '--space', 'team:p'])).toEqual(['team:plans'])
    expect(await complete(['space', 'show', 'team:work', ''])).toEqual([])
  })

  it('offers the decisions, threads, events, members, tokens and invites of the caller', async () => {
    const grace = await server.registerHuman('Grace')
    const bob = await server.registerHuman('Bob Two')
    for (const actor of [grace, bob]) await server.as(actor).post('/api/spaces/team:plans/join').expect(200)
    const at = server.as(ada)
    const { event_id } = await at.post('/api/spaces/team:plans/speech', { text: 'Where?' }).expect(200)
    const about = { parent_event_id: event_id, subject: 'Where to' }
    const { thread_id } = await at.post('/api/spaces/team:plans/threads', about).expect(200)
    await at.post('/api/spaces/team:plans/speech', { text: 'There', thread_id }).expect(200)
    const proposal = { proposed_by: ada.actor_id, text: 'We go' }
    const { decision_id } = await at.post('/api/spaces/team:plans/decisions', proposal).expect(200)
    const { pat_id } = await at.post('/api/personal-access-tokens', { name: 'laptop' }).expect(200)

    expect(await complete(['decision', 'show', 'team:plans', ''])).toEqual([decision_id])
    expect(await complete(['thread', 'show', 'team:plans', ''])).toEqual([thread_id])
    expect(await complete(['read', 'team:plans', '--thread', ''])).toEqual([thread_id])
    expect(await complete(['token', 'revoke', 'pat_'])).toEqual([pat_id])
    expect(await complete(['say', 'team:plans', '--mention', 'Gr'])).toEqual(['Grace'])
    expect(await complete(['say', 'team:plans', '--mention', ''])).toEqual(['Grace', bob.actor_id])
    expect(await complete(['read', 'team:plans', '--mentions=G'])).toEqual(['--mentions=Grace'])
    expect(await complete(['decision', 'propose', 'team:plans', 'We go', '--assign', 'G'])).toEqual(['Grace'])
    expect(await complete(['decision', 'propose', 'team:plans', 'We go', '--supersedes', ''])).toEqual([decision_id])
    expect(await complete(['say', 'team:plans', '--reply-to', event_id.slice(0, 8)])).toContain(event_id)
    const run = await spaces(['__complete', 'decision', 'resolve', 'team:plans', ''], { env }).expect(0)
    expect(run.stdout).toBe(`${decision_id}\tproposed: We go\n`)

    const admin = await server.registerHuman('Hedy')
    await server.as(admin).post('/api/tenants', { name: 'Acme' }).expect(200)
    const { invite_id } = await server.as(admin).post('/api/invites', {}).expect(200)
    expect(await complete(['invite', 'revoke', ''], signedInAs(server, admin))).toEqual([invite_id])
  })

  it('offers aliases, and the arguments of what they expand to', async () => {
    await spaces(['alias', 'set', 'tell', 'say $1'], { env }).expect(0)
    expect(await complete(['tel'])).toEqual(['tell'])
    expect(await complete(['alias', 'delete', ''])).toEqual(['tell'])
    expect(await complete(['tell', 'gard'])).toEqual(['garden@home'])
    expect(await complete(['tell', 'garden@home', '--ed'])).toEqual(['--editor'])
    await spaces(['alias', 'delete', 'tell'], { env }).expect(0)
  })

  it('offers the accounts on the machine, and uses the account that --profile names', async () => {
    const home = await freshHome()
    const login = { home, env: { SPACES_URL: server.url }, stdin: ada.api_key }
    await spaces(['login', '--profile', 'work'], login).expect(0)
    const at = async (...words: string[]) => (await spaces(['__complete', ...words], { home }).expect(0)).stdout
    expect(await at('--profile', '')).toBe(`work\tAda on ${server.url}\n`)
    expect(await at('profile', 'use', 'w')).toBe(`work\tAda on ${server.url}\n`)
    expect(await at('--profile', 'work', 'space', 'show', 'gar')).toBe('garden@home\tAbout garden@home\n')
    expect(await at('--profile', 'other', 'space', 'show', 'gar')).toBe('')
  })

  it('prints nothing, also no error, without a valid token or a reachable server', async () => {
    expect(await complete(['space', 'show', ''], { SPACES_TOKEN: undefined })).toEqual([])
    expect(await complete(['space', 'show', ''], { SPACES_URL: 'http://127.0.0.1:9' })).toEqual([])
    expect(await complete(['space', 'show', ''], { SPACES_TOKEN: 'damaged' })).toEqual([])
  })

  it('has scripts for bash, zsh and fish only', async () => {
    await spaces(['completion', 'tcsh']).expect(2, 'Allowed choices are bash, zsh, fish')
    expect((await spaces(['completion', 'bash', '--json']).expect(0)).json).toMatchObject({ shell: 'bash' })
  })
})

const isHere = (shell: string) => spawnSync(shell, ['-c', 'exit']).status === 0

/** The shells, each with the arguments that start it without personal settings. */
const SHELLS = {
  bash: { args: ['--norc', '--noprofile', '-i'], begin: `eval "$(spaces completion bash)"; PS1='ready> '` },
  zsh: {
    args: ['-f', '-i'],
    begin: `autoload -U compinit; compinit -u; eval "$(spaces completion zsh)"; PS1='ready> '`,
  },
  fish: {
    args: ['--no-config', '-i'],
    begin: "spaces completion fish | source; function fish_prompt; echo 'ready> '; end",
  },
} as const

describe.each(Object.entries(SHELLS))('in %s', (name, { args, begin }) => {
  async function shell(): Promise<Terminal> {
    const terminal = terminalWith(name, args, { env })
    terminal.type(begin)
    terminal.press('enter')
    await terminal.waitFor(/^ready>/m)
    return terminal
  }

  it.skipIf(!isHere(name))('Tab completes commands, flags and values', async () => {
    const terminal = await shell()
    const completes = async (typed: string, line: string) => {
      terminal.type(typed)
      terminal.press('tab')
      await terminal.waitFor(`ready> ${line}`)
      terminal.press('ctrl-u')
      await terminal.waitFor(/ready>$/)
    }
    await completes('spaces compl', 'spaces completion')
    await completes('spaces space lis', 'spaces space list')
    await completes('spaces space list --stat', 'spaces space list --status')
    await completes('spaces space list --status pau', 'spaces space list --status paused')
    await completes('spaces space list --status=pau', 'spaces space list --status=paused')
    await completes('spaces space show team:pl', 'spaces space show team:plans')
    await completes('spaces space show gard', 'spaces space show garden@home')
    await completes('spaces space show garden@h', 'spaces space show garden@home')
    await completes('spaces --json space show "a b" --prof', 'spaces --json space show "a b" --profile')
    await completes('spaces space show te', 'spaces space show team:')
    await completes('spaces api GET spaces --input ./bi', 'spaces api GET spaces --input ./bin/')
  })
})
