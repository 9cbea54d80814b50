import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Actor,
  eventually,
  freePorts,
  freshHome,
  signedInAs,
  spaces,
  stubServer,
  terminal,
  terminalWith,
  useServer,
} from './support/index.js'
import { environment, MAIN } from './support/machine.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  await server.as(ada).post('/api/spaces', { space_id: 'plans' }).expect(200)
})

describe('a misuse', () => {
  it.each([
    [['spcae'], "unknown command 'spcae'\n(Did you mean space?)\nSee: spaces --help"],
    [['help', 'nothing'], "unknown command 'nothing'\nSee: spaces --help"],
    [['help', 'spcae'], "unknown command 'spcae'\n(Did you mean space?)\nSee: spaces --help"],
    [['help', 'space', 'lst'], "unknown command 'lst'\n(Did you mean list?)\nSee: spaces space --help"],
    [['nothing', '--help'], "unknown command 'nothing'\nSee: spaces --help"],
    [['space', 'lst'], "unknown command 'lst'\n(Did you mean list?)\nSee: spaces space --help"],
    [['space', 'list', '--stauts', 'x'], "'--stauts'\n(Did you mean --status?)\nSee: spaces space list --help"],
    [['space', 'list', '--jsno'], '(Did you mean --json?)'],
    [
      ['space', 'list', '--status', 'x'],
      'Allowed choices are active, paused, archived.\nSee: spaces space list --help',
    ],
    [['space', 'show'], "missing required argument 'space'\nSee: spaces space show --help"],
    [['space', 'show', 'one', 'two'], 'too many arguments'],
    [['space', 'show', ''], "argument 'space' is empty\nSee: spaces space show --help"],
    [['say', 'plans', '', ''], "argument 'text' is empty\nSee: spaces say --help"],
    [['decision', 'resolve', 'plans', randomUUID(), '--resolution', ''], '--resolution is empty'],
    [['space', 'list', '--timeout', '0'], '--timeout: must be a number of seconds'],
    [['space'], 'A command is required\nUsage: spaces space'],
    [['space', 'list', '--url', 'elsewhere'], '--url: not a server address'],
    [['space', 'list', '--url', 'http://a:secret@b.cd'], '--url: the address must not contain a name or password'],
  ])('%j is rejected with a hint', async (args, complaint) => {
    const run = await spaces(args, { env }).expect(2, complaint)
    expect(run.stdout).toBe('')
    expect(run.stderr).not.toContain('secret')
  })

  it('is reported without the token', async () => {
    const token = `svc_pat_${'0f'.repeat(30)}`
    for (const args of [['whoami', `--token=${token}`], ['whoami', '--profile', token], [token]]) {
      const run = await spaces(args, { env }).expect(2, 'svc_pat_…')
      expect(run.stderr).not.toContain(token)
    }
  })

  it('is reported as JSON with --json', async () => {
    const run = await spaces(['space', 'lst', '--json'], { env }).expect(2)
    expect(run.error).toEqual({
      detail: "unknown command 'lst'",
      exit_code: 2,
      hint: '(Did you mean list?)\nSee: spaces space --help',
    })
  })

  it.each([
    ['read', 'plnas'],
    ['say', 'Plans', 'Hello'],
    ['inbox', '--space', 'plan'],
    ['space', 'show', 'plans2'],
  ])('suggests the nearest name for a mistyped space: %s %s', async (...args) => {
    const mistyped = await spaces(args, { env }).expect(1, 'Space not found\n(Did you mean plans?)\nList spaces:')
    expect(mistyped.stdout).toBe('')
    expect((await spaces([...args, '--json'], { env }).expect(1)).error).toMatchObject({ did_you_mean: 'plans' })
  })

  it('excludes requests for help, which print the usage and end with 0', async () => {
    const run = await spaces([]).expect(0)
    expect(run.stdout).toMatch(/^Usage: spaces/)
    expect((await spaces(['help', 'space', 'list']).expect(0)).stdout).toMatch(/^Usage: spaces space list/)
    const { stdout: help } = await spaces(['space', 'list', '--help']).expect(0)
    expect(help).not.toContain('--no-pager')
    expect(help).toMatch(/^Options of every command \(--json, .*\): spaces help options$/m)
    const { stdout: options } = await spaces(['help', 'options']).expect(0)
    for (const option of ['--json[=fields]', '--profile', '--no-pager']) expect(options).toContain(option)
    expect((await spaces(['--version']).expect(0)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('a server that cannot be reached', () => {
  it('is a network failure', async () => {
    const args = ['signup', '--name', 'Ada', '--email', 'ada@example.org', '--json', '--url', 'http://127.0.0.1:9']
    expect((await spaces(args).expect(3)).error).toMatchObject({ exit_code: 3, status: null })
  })

  it('fails immediately, without a retry', async () => {
    const url = `http://127.0.0.1:${await freePorts(1)}`
    for (const args of [['whoami'], ['read', 'plans', '--follow'], ['space', 'list']]) {
      const run = await spaces(args, { env: { ...env, SPACES_URL: url } }).expect(3, 'ECONNREFUSED', '--url')
      expect(run.stderr).not.toContain('Trying again')
    }
  })

  it('is retried with --retry, and without it once it has answered', async () => {
    const person = terminal(['whoami', '--retry'], { env: { ...env, SPACES_URL: 'http://127.0.0.1:9' } })
    await person.waitFor('No answer from http://127.0.0.1:9 yet. Trying again…')
    let answers = 0
    const { url } = await stubServer(async ({ url, headers: { authorization = '' } }, response) => {
      answers += 1
      if (answers === 1) return response.writeHead(503).end()
      const answer = await fetch(server.url + url, { headers: { authorization } })
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
    await spaces(['whoami'], { env: { ...env, SPACES_URL: url } }).expect(0)
    expect(answers).toBe(2)
    person.press('ctrl-c')
    expect(await person.end()).toBe(2)
    expect(person.screen).toContain('spaces: Cancelled')
  })
})

describe('a server that is silent', () => {
  it('times out after --timeout or SPACES_TIMEOUT', async () => {
    const { url, requests } = await stubServer(() => {})
    const silent = { ...env, SPACES_URL: url }
    await spaces(['whoami', '--timeout', '0.2'], { env: silent }).expect(3, 'nothing came for 0.2 seconds')
    await spaces(['space', 'list'], { env: { ...silent, SPACES_TIMEOUT: '0.2' } }).expect(3, 'nothing came for 0.2')
    await spaces(['api', 'spaces', '--timeout', '0.2'], { env: silent }).expect(3, 'nothing came for 0.2 seconds')
    // Never retried. On a busy machine the timeout may pass before the request is sent.
    expect(requests.length).toBeLessThanOrEqual(3)
  })
})

describe('Ctrl-C', () => {
  it('cancels a question, and restores the terminal', async () => {
    const shell = terminalWith('bash', ['--norc', '--noprofile', '-i'], { env: { PS1: 'ready>' } })
    await shell.waitFor('ready>')
    shell.type(`stty -a >before; ${process.execPath} ${MAIN} login; echo "code $?"; stty -a >after`)
    shell.press('enter')
    await shell.waitFor('Address of the server')
    shell.press('ctrl-c')
    await shell.waitFor(/^code 2$/m)
    expect(shell.screen).toContain('spaces: Cancelled')
    expect(shell.screen).not.toMatch(/^ +at /m)
    shell.type('cmp before after && echo "as it was"')
    shell.press('enter')
    await shell.waitFor(/^as it was$/m)
    const [hidden, shown] = ['\u001b[?25l', '\u001b[?25h'].map((code) => shell.output.lastIndexOf(code))
    expect(shown).toBeGreaterThan(hidden as number)
  })
})

describe('a closed pipe', () => {
  it('is no failure', async () => {
    const command = spawn(process.execPath, [MAIN, 'space', 'list', '--help'], { env: environment({ env }) })
    command.stdout.destroy()
    let complaint = ''
    command.stderr.on('data', (text) => {
      complaint += text
    })
    const [code] = await once(command, 'close')
    expect([code, complaint]).toEqual([0, ''])
  })

  it('is no failure after the first lines', async () => {
    const shell = spawn(
      'bash',
      ['-c', `set -o pipefail; "$0" "$1" space list --json | head -0; echo "code $?"`, process.execPath, MAIN],
      { env: environment({ env }) },
    )
    let output = ''
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.on('data', (text) => {
        output += text
      })
    }
    await once(shell, 'close')
    expect(output).toBe('code 0\n')
  })
})

describe('a terminal that is closed', () => {
  it.skipIf(process.platform !== 'linux')('ends a command that still writes to it, without an error', async () => {
    const home = await freshHome()
    // In its own session, the command receives no SIGHUP.
    const script = `setsid "$0" "$1" read plans --follow 2> errors & echo $! > pid; wait`
    const person = terminalWith('bash', ['-c', script, process.execPath, MAIN], { env, home })
    await server.as(ada).post('/api/spaces/plans/speech', { text: 'Before' }).expect(200)
    await person.waitFor('Before')
    const pid = Number(readFileSync(join(home, 'pid'), 'utf8'))
    person.hangUp()
    await server.as(ada).post('/api/spaces/plans/speech', { text: 'After' }).expect(200)
    await eventually(() => !isRunning(pid))
    expect(readFileSync(join(home, 'errors'), 'utf8')).toBe('')
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a disk that is full', () => {
  it.skipIf(!existsSync('/dev/full'))('fails with the reason', async () => {
    const shell = spawn('bash', ['-c', '"$0" "$1" space list --json > /dev/full', process.execPath, MAIN], {
      env: environment({ env }),
    })
    let complaint = ''
    shell.stderr.on('data', (text) => {
      complaint += text
    })
    const [code] = await once(shell, 'close')
    expect(code).toBe(1)
    expect(JSON.parse(complaint).detail).toMatch(/^Cannot write to standard output: ENOSPC/)
  })
})

describe('colours', () => {
  const ESCAPE = '\u001b['

  beforeAll(async () => {})

  it('appear only in a terminal', async () => {
    const person = terminal(['space', 'list'], { env })
    expect(await person.end()).toBe(0)
    expect(person.output).toContain(`${ESCAPE}32mactive`)
    expect((await spaces(['space', 'list'], { env }).expect(0)).stdout).not.toContain(ESCAPE)
  })

  it.each([
    ['NO_COLOR', [], { NO_COLOR: '1' }],
    ['a terminal without any', [], { TERM: 'dumb' }],
    ['--no-color', ['--no-color'], {}],
    ['--json', ['--json'], {}],
  ])('are absent with %s', async (_, flags, more) => {
    const person = terminal(['space', 'list', ...flags], { env: { ...env, ...more } })
    expect(await person.end()).toBe(0)
    expect(person.screen).toContain('plans')
    expect(person.output).not.toContain(ESCAPE)
  })
})
