import { readdir, readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Actor,
  configIn,
  freshHome,
  keptIn,
  MAIN,
  signedInAs,
  spaces,
  startSpaces,
  stubServer,
  useServer,
} from './support/index.js'

const server = useServer()
let ada: Actor

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  await server.as(ada).post('/api/spaces', { space_id: 'plans' }).expect(200)
  await server.as(ada).post('/api/spaces/plans/speech', { text: 'Hello' }).expect(200)
})

/** Forwards a request to the server. */
function passOn(incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = incoming
  const onward = request(`${server.url}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode as number, answer.headers).flushHeaders()
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  onward.on('error', () => response.destroy())
  response.once('close', () => onward.destroy())
  incoming.pipe(onward)
}

/** Starts two installations. The tenant has moved from `a` to `b`, or moves when `leave` is called. */
async function twoCells({ hasMoved = true } = {}) {
  const b = await stubServer(passOn)
  const under = new Set<ServerResponse>()
  const a = await stubServer((request, response) => {
    if (!hasMoved) {
      under.add(response)
      passOn(request, response)
      return
    }
    const body = { detail: 'This tenant has moved', error: 'moved', location: b.url }
    response.writeHead(421, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const leave = () => {
    hasMoved = true
    for (const response of under) response.destroy()
  }
  return { a, b, leave }
}

/** Creates a home with a profile at an installation that the tenant has left. */
async function homeAt(url: string): Promise<string> {
  const home = await freshHome()
  const profile = { url, token: ada.api_key, actor_id: ada.actor_id, display_name: 'Ada' }
  await spaces(['login', '--profile', 'ada', '--url', server.url], { home, stdin: ada.api_key }).expect(0)
  await writeFile(configIn(home), JSON.stringify({ current: 'ada', profiles: { ada: profile } }), { mode: 0o600 })
  return home
}

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1' } },
})}\n`

/** tRPC calls, a write, a streamed answer, and raw requests. */
const COMMANDS = [
  ['whoami'],
  ['say', 'plans', 'Hello again'],
  ['read', 'plans'],
  ['export', 'plans'],
  ['api', 'spaces/plans/events'],
  ['api', 'spaces/plans/events', '--paginate'],
]

describe('a command whose tenant has moved', () => {
  it.each(COMMANDS)('does not follow without permission: spaces %s %s', async (...command) => {
    const { a, b } = await twoCells()
    const home = await homeAt(a.url)
    const run = await spaces(command, { home }).expect(1, `spaces: The tenant has moved to ${b.url}\n`)
    expect(run.stderr).toContain(`let your accounts follow: spaces profile allow ${b.url}`)
    expect(b.requests).toEqual([])
    expect((await keptIn(home)).profiles.ada.url).toBe(a.url)
  })

  it.each(COMMANDS)('follows to an allowed address, and says so once: spaces %s %s', async (...command) => {
    const { a, b } = await twoCells()
    const home = await homeAt(a.url)
    await spaces(['profile', 'allow', b.url], { home }).expect(0)
    const run = await spaces(command, { home }).expect(0)
    expect(run.stderr).toBe(`Your tenant has moved to ${b.url}, which profile ada has now\n`)
    expect((await keptIn(home)).profiles.ada).toMatchObject({ url: b.url, former_urls: [a.url], token: ada.api_key })
    const count = a.requests.length
    expect((await spaces(command, { home }).expect(0)).stderr).toBe('')
    expect(a.requests).toHaveLength(count)
  })

  it('finds its profile by the former address, too', async () => {
    const { a, b } = await twoCells()
    const home = await homeAt(a.url)
    await spaces(['profile', 'allow', b.url], { home }).expect(0)
    await spaces(['whoami'], { home }).expect(0)
    for (const more of [{ args: ['--url', a.url] }, { env: { SPACES_URL: a.url } }, { args: ['--url', b.url] }]) {
      const run = await spaces(['whoami', '--json', ...(more.args ?? [])], { home, env: more.env ?? {} }).expect(0)
      expect([run.json.url, run.stderr]).toEqual([b.url, ''])
    }
  })

  it('prefers a profile with this current address to one with this former address', async () => {
    const grace = await server.registerHuman('Grace')
    const home = await freshHome()
    const [elsewhere, display_name] = ['http://127.0.0.1:1', 'x']
    const profiles = {
      ada: { ...ada, token: ada.api_key, display_name, url: elsewhere, former_urls: [server.url] },
      grace: { ...grace, token: grace.api_key, display_name, url: server.url },
    }
    await spaces(['login', '--profile', 'ada', '--url', server.url], { home, stdin: ada.api_key }).expect(0)
    await writeFile(configIn(home), JSON.stringify({ current: 'ada', profiles }), { mode: 0o600 })
    const run = await spaces(['whoami', '--json', '--url', server.url], { home }).expect(0)
    expect(run.json.display_name).toBe('Grace')
  })

  it('follows with a token of the environment to the addresses in SPACES_MAY_MOVE_TO', async () => {
    const { a, b } = await twoCells()
    const env = signedInAs(a, ada)
    await spaces(['whoami'], { env }).expect(1, `The tenant has moved to ${b.url}`)
    const there = { ...env, SPACES_MAY_MOVE_TO: `https://*.example.org, ${b.url}` }
    const run = await spaces(['whoami'], { env: there }).expect(0)
    expect(run.stderr).toBe(`Your tenant has moved to ${b.url}. Use that address from now on\n`)
    const script = await spaces(['whoami', '--json'], { env: there }).expect(0)
    expect([script.json.url, script.stderr]).toEqual([b.url, ''])
    await spaces(['whoami'], { env: { ...env, SPACES_MAY_MOVE_TO: 'b.example.org' } }).expect(2, 'SPACES_MAY_MOVE_TO')
  })

  it('saves the new address when several commands follow concurrently', async () => {
    const { a, b } = await twoCells()
    const home = await homeAt(a.url)
    await spaces(['profile', 'allow', b.url], { home }).expect(0)
    const runs = await Promise.all(Array.from({ length: 6 }, () => spaces(['whoami'], { home })))
    for (const run of runs) run.expect(0)
    expect((await keptIn(home)).profiles.ada).toMatchObject({ url: b.url, former_urls: [a.url] })
    expect(await readdir(dirname(configIn(home)))).toEqual(['config.json'])
  })

  it('signs in at the new address', async () => {
    const { a, b } = await twoCells()
    const home = await freshHome()
    await spaces(['profile', 'allow', b.url], { home }).expect(0)
    const run = await spaces(['login', '--json', '--url', a.url], { home, stdin: ada.api_key }).expect(0)
    expect(run.json.url).toBe(b.url)
    expect(Object.values((await keptIn(home)).profiles)).toMatchObject([{ url: b.url }])
  })

  it('continues to follow events without a gap during the move', async () => {
    const { a, b, leave } = await twoCells({ hasMoved: false })
    const path = await server.openSpace(ada)
    const space = path.slice('/api/spaces/'.length)
    const say = (text: string) => server.as(ada).post(`${path}/speech`, { text }).expect(200)
    const home = await homeAt(a.url)
    await spaces(['profile', 'allow', b.url], { home }).expect(0)
    const reading = startSpaces(['read', space, '--follow', '--json=text'], { home })
    for (const text of ['one', 'two']) await say(text)
    await reading.waitFor('"two"')
    leave()
    for (const text of ['three', 'four']) await say(text)
    await reading.waitFor('"four"')
    reading.kill('SIGINT')
    const run = await reading.end()
    expect(run.lines.map((line) => JSON.parse(line).text)).toEqual(['one', 'two', 'three', 'four'])
    expect((await keptIn(home)).profiles.ada.url).toBe(b.url)
  })

  it('answers an MCP host from the new address, or names the address to allow', async () => {
    const { a, b } = await twoCells()
    const home = await homeAt(a.url)
    const refused = await spaces(['mcp'], { home, stdin: INITIALIZE }).expect(0)
    expect(refused.json.error.message).toContain(`The tenant has moved to ${b.url}`)
    expect(refused.json.error.message).toContain(`spaces profile allow ${b.url}`)
    await spaces(['profile', 'allow', b.url], { home }).expect(0)
    const run = await spaces(['mcp'], { home, stdin: INITIALIZE }).expect(0)
    expect(run.json.result.serverInfo).toBeDefined()
    expect((await keptIn(home)).profiles.ada.url).toBe(b.url)
  })

  it('follows with a running agent and its program', async () => {
    const { a, b, leave } = await twoCells({ hasMoved: false })
    const scout = await server.registerAgent(ada, 'Scout')
    const path = await server.openSpace(ada)
    const space = path.slice('/api/spaces/'.length)
    await server.as(scout).post(`${path}/join`).expect(200)
    const mention = () =>
      server
        .as(ada)
        .post(`${path}/speech`, { text: 'Hi', metadata: { mentions: [scout.actor_id] } })
        .expect(200)
    const home = await freshHome()
    await spaces(['login', '--profile', 'scout', '--url', a.url], { home, stdin: scout.api_key }).expect(0)
    await spaces(['profile', 'allow', b.url], { home }).expect(0)
    await mention()
    const answer = `"$NODE" "$SPACES" say ${space} Answered >/dev/null`
    const env = { NODE: process.execPath, SPACES: MAIN }
    const running = startSpaces(['agent', 'run', '--json', '--', 'sh', '-c', answer], { home, env })
    await running.waitFor('"outcome":0')
    leave()
    await mention()
    await running.waitFor(/"outcome":0[\s\S]*"outcome":0/)
    running.kill('SIGINT')
    await running.end().expect(0)
    const events = await server.as(ada).get(`${path}/events`).expect(200)
    expect(events.map(({ text }: { text: string }) => text)).toEqual(['Hi', 'Answered', 'Hi', 'Answered'])
    expect((await keptIn(home)).profiles.scout.url).toBe(b.url)
  })
})

describe('spaces profile allow', () => {
  const allow = (home: string, ...args: string[]) => spaces(['profile', 'allow', ...args, '--json'], { home })

  it('stores a list of addresses with the accounts', async () => {
    const home = await freshHome()
    expect((await spaces(['profile', 'allow'], { home }).expect(0)).stdout).toContain('to no other address')
    expect((await allow(home, 'https://B.example.org/', 'https://*.a.org').expect(0)).json).toEqual({
      may_move_to: ['https://b.example.org', 'https://*.a.org'],
    })
    await allow(home, 'https://b.example.org').expect(0)
    await spaces(['login', '--url', server.url], { home, stdin: ada.api_key }).expect(0)
    expect((await allow(home).expect(0)).json.may_move_to).toEqual(['https://b.example.org', 'https://*.a.org'])
    expect((await allow(home, 'https://*.a.org', '--remove').expect(0)).json.may_move_to).toEqual([
      'https://b.example.org',
    ])
    expect(await readFile(configIn(home), 'utf8')).toContain('"may_move_to"')
  })

  it('rejects anything but addresses', async () => {
    const home = await freshHome()
    for (const given of ['b.example.org', 'https://b.example.org/path', 'https://*']) {
      await allow(home, given).expect(2, 'must be addresses without a path')
    }
  })
})
