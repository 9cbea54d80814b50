import { readFile, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Actor,
  freePorts,
  freshHome,
  keptIn,
  signedInAs,
  spaces,
  stubServer,
  terminal,
  useServer,
} from './support/index.js'

const server = useServer()
let ada: Actor

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
})

const at = (url: string) => ({ SPACES_URL: url })
const tokenOf = (actor: Actor, name = 'test') =>
  server.as(actor).post('/api/personal-access-tokens', { name }).expect(200)

describe('a token that is sent unencrypted', () => {
  const open = useServer()

  const login = async (url: string, ...flags: string[]) =>
    spaces(['login', ...flags], { home: await freshHome(), env: at(url), stdin: ada.api_key })

  it('causes a warning, unless the server is on this machine', async () => {
    const exposed = server.url.replace('127.0.0.1', '0.0.0.0')
    expect((await login(exposed)).stderr).toContain(`Warning: ${exposed} is not encrypted`)
    expect((await login(server.url)).stderr).not.toContain('Warning')
    expect((await login(server.url.replace('127.0.0.1', 'localhost'))).stderr).not.toContain('Warning')
  })

  it('causes one warning in every command that sends it', async () => {
    const grace = await open.registerHuman('Grace')
    await open.openSpace(grace, 'minutes')
    const env = { ...at(open.url.replace('127.0.0.1', '0.0.0.0')), SPACES_TOKEN: grace.api_key }
    for (const args of [
      ['whoami'],
      ['export', 'minutes'],
      ['api', 'GET', 'spaces'],
      ['account', 'rotate-key', '--yes'],
    ]) {
      const run = await spaces(args, { env }).expect(0)
      expect(run.stderr.match(/Warning: /g), args.join(' ')).toHaveLength(1)
      expect(run.stdout).not.toContain('Warning')
    }
  })

  it('causes no warning with --json', async () => {
    const run = await login(server.url.replace('127.0.0.1', '0.0.0.0'), '--json')
    expect(run.stderr).not.toContain('Warning')
  })
})

describe('signup', () => {
  it('asks a person for name and email address, and stores a token for this machine', async () => {
    const home = await freshHome()
    const person = terminal(['signup'], { home, env: at(server.url) })
    await person.waitFor('Your name')
    person.type('Grace')
    person.press('enter')
    await person.waitFor('Your email address')
    person.type('grace@example.org')
    person.press('enter')
    await person.waitFor('Keep your API key in a file?')
    person.type('n')
    expect(await person.end()).toBe(0)
    expect(person.screen).toMatch(/^name +Grace$/m)
    expect(person.screen).toContain('Your API key was not kept')
    expect(person.screen).toContain('spaces space create')

    const { profiles, current } = await keptIn(home)
    expect(current).toBe(new URL(server.url).host)
    const { token, ...rest } = profiles[current]
    expect(rest).toEqual({ url: server.url, actor_id: expect.stringMatching(/^usr_/), display_name: 'Grace' })
    const tokens = await server.as(token).get('/api/personal-access-tokens').expect(200)
    expect(tokens).toMatchObject([{ name: hostname().slice(0, 64), token_prefix: token.slice(0, 16) }])
  })

  it('accepts all answers as flags, and never prints the token or the key', async () => {
    const home = await freshHome()
    const args = ['signup', '--name', 'Grace', '--email', 'grace@example.org', '--profile', 'work', '--json']
    const run = await spaces(args, { home, env: at(server.url) }).expect(0)
    expect(run.json).toMatchObject({ display_name: 'Grace', url: server.url, profile: 'work', token_from: 'profile' })
    expect(run.stdout + run.stderr).not.toContain('svc_')
    expect((await spaces(['whoami', '--json'], { home }).expect(0)).json).toEqual(run.json)
  })

  it('names the missing flag when it cannot ask', async () => {
    const home = await freshHome()
    await spaces(['signup'], { home, env: at(server.url) }).expect(2, '--name is required')
    const run = await spaces(['signup', '--name', 'Grace', '--json'], { home, env: at(server.url) }).expect(2)
    expect(run.error).toMatchObject({ detail: '--email is required', exit_code: 2 })
  })

  it('registers no actor if the profile name is taken', async () => {
    const home = await freshHome()
    const args = ['signup', '--name', 'Grace', '--email', 'grace@example.org']
    await spaces(args, { home, env: at(server.url) }).expect(0)
    const http = await stubServer(() => {})
    const env = { SPACES_PROFILE: new URL(server.url).host, ...at(http.url) }
    await spaces(args, { home, env }).expect(2, 'already belongs to Grace')
    expect(http.requests).toEqual([])
  })

  it('joins the tenant of an invite, whose code may be piped in', async () => {
    const admin = await server.registerHuman('Hedy')
    const { tenant_id } = await server.as(admin).post('/api/tenants', { name: 'Acme' }).expect(200)
    const { code } = await server.as(admin).post('/api/invites', {}).expect(200)
    const args = ['signup', '--name', 'Joan', '--email', 'joan@example.org', '--code', '--json']
    const run = await spaces(args, { home: await freshHome(), env: at(server.url), stdin: `${code}\n` }).expect(0)
    expect(run.json).toMatchObject({ display_name: 'Joan', tenant_id })
  })

  it('asks for the server first, checks it immediately, and asks again after a mistake', async () => {
    const person = terminal(['signup'], { home: await freshHome() })
    const answer = async (question: string | RegExp, text: string) => {
      await person.waitFor(question)
      person.press('ctrl-u')
      person.type(text)
      person.press('enter')
    }
    await answer('Address of the server', 'localhost')
    await person.waitFor('not a server address')
    person.press('ctrl-u')
    person.type(`http://127.0.0.1:${await freePorts(1)}`)
    person.press('enter')
    await person.waitFor('Is the server running')
    expect(person.screen).not.toContain('Your name')
    await answer(/Is the server running[\s\S]*Address of the server/, server.url)
    await answer('Your name', 'Grace')
    await answer('Your email address', 'grace')
    await person.waitFor(/^email: /m)
    await answer(/^email: [\s\S]*Your email address/m, 'grace@example.org')
    await person.waitFor('Keep your API key in a file?')
    person.type('n')
    expect(await person.end()).toBe(0)
    expect(person.screen).toMatch(/^email +grace@example.org$/m)
  })

  it('writes the API key to a new file on request, which signs in again', async () => {
    const home = await freshHome()
    const keyFile = join(home, 'grace.key')
    const args = ['signup', '--name', 'Grace', '--email', 'grace@example.org', '--key-file', keyFile]
    const run = await spaces(args, { home, env: at(server.url) }).expect(0, `Your API key is in ${keyFile}`)
    expect(run.stdout + run.stderr).not.toContain('svc_')
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
    const key = await readFile(keyFile, 'utf8')
    const login = { home: await freshHome(), env: at(server.url), stdin: key }
    expect((await spaces(['login', '--json'], login).expect(0)).json.display_name).toBe('Grace')
    await spaces([...args, '--profile', 'other'], { home, env: at(server.url) }).expect(2, 'exists already')
    expect(await readFile(keyFile, 'utf8')).toBe(key)
  })

  it('offers a person to save the key', async () => {
    const home = await freshHome()
    const person = terminal(['signup', '--name', 'Grace'], { home, env: at(server.url) })
    await person.waitFor('Your email address')
    person.type('grace@example.org')
    person.press('enter')
    await person.waitFor('Keep your API key in a file?')
    person.press('enter')
    await person.waitFor('New file for the key')
    person.press('enter')
    expect(await person.end()).toBe(0)
    expect(await readFile(join(home, 'spaces.key'), 'utf8')).toMatch(/^svc_[0-9a-f]{64}\n$/)
  })

  it('asks nothing when flags answer everything', async () => {
    const args = ['signup', '--name', 'Grace', '--email', 'g@example.org']
    const person = terminal(args, { home: await freshHome(), env: at(server.url) })
    expect(await person.end()).toBe(0)
    expect(person.screen).not.toContain('Keep your API key')
    expect(person.screen).toContain('spaces account rotate-key')
  })

  it('stores the key when the account exists but token creation failed', async () => {
    const home = await freshHome()
    const proxy = await stubServer(async (request, response) => {
      if (request.url?.includes('token.create')) return response.writeHead(502).end('Bad gateway')
      const chunks = await request.toArray()
      const answer = await fetch(server.url + request.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: Buffer.concat(chunks),
      })
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
    const args = ['signup', '--name', 'Grace', '--email', 'grace@example.org']
    const run = await spaces(args, { home, env: at(proxy.url) }).expect(0, 'No token could be made')
    expect(run.stdout + run.stderr).not.toContain('svc_')
    const { profiles, current } = await keptIn(home)
    await server.as(profiles[current].token).get('/api/actors/me').expect(200)
  })
})

describe('login', () => {
  it('asks for the token without showing it', async () => {
    const home = await freshHome()
    const { token } = await tokenOf(ada)
    const person = terminal(['login'], { home, env: at(server.url) })
    await person.waitFor('Your token')
    person.type(token)
    person.press('enter')
    expect(await person.end()).toBe(0)
    expect(person.output).not.toContain(token.slice(0, 12))
    expect(person.screen).toMatch(/^name +Ada$/m)
    expect((await keptIn(home)).profiles[new URL(server.url).host].token).toBe(token)
  })

  it('reads a token or an API key from standard input', async () => {
    const agent = await server.registerAgent(ada, 'Scout')
    const home = await freshHome()
    const run = await spaces(['login', '--profile', 'scout', '--json'], {
      home,
      env: at(server.url),
      stdin: `${agent.api_key}\n`,
    }).expect(0)
    expect(run.json).toMatchObject({ actor_id: agent.actor_id, actor_type: 'agent', profile: 'scout' })
    expect(run.stdout + run.stderr).not.toContain('svc_')
  })

  it('detects a damaged token without asking the server', async () => {
    const http = await stubServer(() => {})
    const { token } = await tokenOf(ada)
    const wrong = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
    for (const stdin of [wrong, token.slice(0, -3), `${token}0`, ada.api_key.slice(0, -1)]) {
      const run = await spaces(['login'], { env: at(http.url), stdin }).expect(4, 'the token is incomplete or mistyped')
      expect(run.stderr).not.toContain(stdin.slice(8))
    }
    await spaces(['login'], { env: at(http.url), stdin: 'password' }).expect(4, 'does not begin with svc_')
    await spaces(['space', 'list'], { env: { ...at(http.url), SPACES_TOKEN: wrong } }).expect(4, 'SPACES_TOKEN')
    expect(http.requests).toEqual([])
  })

  it('does not store a token that the server rejects', async () => {
    const home = await freshHome()
    await spaces(['login'], { home, env: at(server.url), stdin: `svc_${'0'.repeat(64)}` }).expect(
      4,
      'does not accept this token',
    )
    await spaces(['whoami'], { home }).expect(4, 'You are not signed in')
  })

  it('fails immediately without a token', async () => {
    await spaces(['login'], { env: at(server.url) }).expect(2, 'A token is required')
  })

  it('replaces the token of the same actor, but not of another one', async () => {
    const home = await freshHome()
    const env = at(server.url)
    const [first, second] = [await tokenOf(ada), await tokenOf(ada)]
    await spaces(['login', '--profile', 'me'], { home, env, stdin: first.token }).expect(0)
    await spaces(['login', '--profile', 'me'], { home, env, stdin: second.token }).expect(0)
    const grace = await server.registerHuman('Grace')
    const login = ['login', '--profile', 'me']
    await spaces(login, { home, env, stdin: grace.api_key }).expect(
      2,
      'Profile me already belongs to Ada',
      '--profile NAME',
    )
    expect((await keptIn(home)).profiles.me.token).toBe(second.token)
  })

  it('uses the server of the current account by default', async () => {
    const home = await freshHome()
    const { token } = await tokenOf(ada)
    await spaces(['login'], { home, env: at(server.url), stdin: token }).expect(0)
    expect((await spaces(['login', '--json'], { home, stdin: token }).expect(0)).json.url).toBe(server.url)
  })
})

describe('logout', () => {
  it('asks for confirmation, deletes the stored token, and leaves it valid', async () => {
    const home = await freshHome()
    const { token } = await tokenOf(ada)
    await spaces(['login'], { home, env: at(server.url), stdin: token }).expect(0)
    await spaces(['logout'], { home }).expect(2, '--yes is required')
    const person = terminal(['logout'], { home })
    await person.waitFor('Sign out of')
    person.type('y')
    expect(await person.end()).toBe(0)
    await spaces(['whoami'], { home }).expect(4, 'You are not signed in')
    await server.as(token).get('/api/actors/me').expect(200)
  })

  it('revokes only its own token with --revoke', async () => {
    const home = await freshHome()
    const [kept, revoked] = [await tokenOf(ada), await tokenOf(ada)]
    await spaces(['login'], { home, env: at(server.url), stdin: revoked.token }).expect(0)
    const run = await spaces(['logout', '--revoke', '--yes', '--json'], { home }).expect(0)
    expect(run.json).toEqual({ profile: new URL(server.url).host, url: server.url, revoked: true })
    await server.as(revoked.token).get('/api/actors/me').expect(401)
    await server.as(kept.token).get('/api/actors/me').expect(200)
  })

  it('deletes a stored token that was revoked elsewhere', async () => {
    const home = await freshHome()
    const { token, pat_id } = await tokenOf(ada)
    await spaces(['login'], { home, env: at(server.url), stdin: token }).expect(0)
    await server.as(ada).delete(`/api/personal-access-tokens/${pat_id}`).expect(200)
    await spaces(['space', 'list'], { home }).expect(4, 'Sign in again')
    const run = await spaces(['logout', '--revoke', '--yes', '--json'], { home }).expect(0)
    expect(run.json).toMatchObject({ revoked: false })
  })

  it('is rejected when the token is in the environment', async () => {
    await spaces(['logout', '--yes'], { env: signedInAs(server, ada) }).expect(2, 'SPACES_TOKEN')
  })
})

describe('whoami', () => {
  it('shows the actor, the server, and the source of the token', async () => {
    const run = await spaces(['whoami', '--json'], { env: signedInAs(server, ada) }).expect(0)
    const actor = await server.as(ada).get('/api/actors/me').expect(200)
    expect(run.json).toEqual({ ...actor, url: server.url, profile: null, token_from: 'environment' })
  })

  it('ends with 4 when not signed in', async () => {
    const run = await spaces(['whoami', '--json'], { home: await freshHome() }).expect(4)
    expect(run.error).toMatchObject({ detail: 'You are not signed in', exit_code: 4 })
    expect(run.error.hint).toContain('spaces signup')
  })
})

describe('the account of a command', () => {
  let home: string
  let other: Awaited<ReturnType<typeof stubServer>>
  let grace: Actor

  beforeAll(async () => {
    home = await freshHome()
    grace = await server.registerHuman('Grace')
    const env = at(server.url)
    await spaces(['login', '--profile', 'grace'], { home, env, stdin: grace.api_key }).expect(0)
    await spaces(['login', '--profile', 'ada'], { home, env, stdin: ada.api_key }).expect(0)
  })

  const whoIs = async (args: string[], env: Record<string, string> = {}) =>
    (await spaces(['whoami', '--json', ...args], { home, env }).expect(0)).json.display_name

  it('is the current one; the environment precedes it, and flags precede both', async () => {
    expect(await whoIs([])).toBe('Ada')
    expect(await whoIs([], { SPACES_PROFILE: 'grace' })).toBe('Grace')
    expect(await whoIs(['--profile', 'ada'], { SPACES_PROFILE: 'grace' })).toBe('Ada')
    const hedy = await server.registerHuman('Hedy')
    expect(await whoIs([], { SPACES_TOKEN: hedy.api_key })).toBe('Hedy')
    expect(await whoIs(['--profile', 'grace'], { SPACES_TOKEN: hedy.api_key })).toBe('Grace')
    expect(await whoIs(['--url', server.url], { SPACES_URL: 'http://127.0.0.1:9' })).toBe('Ada')
  })

  it('sends its token only to its own server', async () => {
    other = await stubServer((_, response) => response.writeHead(500).end())
    await spaces(['whoami', '--url', other.url], { home }).expect(4, `not signed in to ${other.url}`)
    await spaces(['whoami'], { home, env: at(other.url) }).expect(4, `not signed in to ${other.url}`)
    await spaces(['whoami', '--url', other.url, '--profile', 'ada'], { home }).expect(2, '--url or --profile')
    expect(other.requests).toEqual([])
  })

  it('must exist, and the error lists the known ones', async () => {
    await spaces(['whoami', '--profile', 'constructor'], { home }).expect(2, 'Profiles: grace, ada')
  })
})
