import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, configIn, freshHome, keptIn, spaces, terminal, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let grace: Actor

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  grace = await server.registerHuman('Grace')
})

const login = (home: string, profile: string, actor: Actor) =>
  spaces(['login', '--profile', profile], { home, env: { SPACES_URL: server.url }, stdin: actor.api_key })

async function homeOfTwo(): Promise<string> {
  const home = await freshHome()
  await login(home, 'ada', ada).expect(0)
  await login(home, 'grace', grace).expect(0)
  return home
}

describe('the accounts on a machine', () => {
  it('are listed without their tokens', async () => {
    const home = await homeOfTwo()
    const { url } = server
    const run = await spaces(['profile', 'list', '--json'], { home }).expect(0)
    expect(run.json).toEqual([
      { profile: 'ada', current: false, url, actor_id: ada.actor_id, display_name: 'Ada' },
      { profile: 'grace', current: true, url, actor_id: grace.actor_id, display_name: 'Grace' },
    ])
    const people = await spaces(['profile', 'list'], { home }).expect(0)
    expect(people.stdout).toMatch(/^\* +grace +Grace/m)
    expect(people.stdout).not.toContain('svc_')
    const narrow = terminal(['profile', 'list'], { home, columns: 50 })
    expect(await narrow.end()).toBe(0)
    expect(narrow.screen).toMatch(/^profile +\* grace$/m)
    expect(narrow.screen).toMatch(/^profile +ada$/m)
    await spaces(['profile', 'list'], { home: await freshHome() }).expect(0)
  })

  it('are selected by `profile use`', async () => {
    const home = await homeOfTwo()
    await spaces(['profile', 'use', 'ada'], { home }).expect(0)
    expect((await spaces(['whoami', '--json'], { home }).expect(0)).json.display_name).toBe('Ada')
    await spaces(['profile', 'use', 'zoe'], { home }).expect(2, 'Profiles: ada, grace')
  })

  it('keep their profile when they sign in again, and follow a changed display name', async () => {
    const home = await homeOfTwo()
    const env = { SPACES_URL: server.url }
    expect((await spaces(['login', '--json'], { home, env, stdin: ada.api_key }).expect(0)).json.profile).toBe('ada')
    await spaces(['account', 'edit', '--name', 'Grace H.', '--profile', 'grace'], { home }).expect(0)
    const { current, profiles } = await keptIn(home)
    expect([current, Object.keys(profiles)]).toEqual(['ada', ['ada', 'grace']])
    expect(profiles.grace.display_name).toBe('Grace H.')
    await server.as(grace).patch(`/api/actors/${grace.actor_id}`, { display_name: 'Grace' }).expect(200)
  })

  it('can be removed, after which the remaining one is used', async () => {
    const home = await homeOfTwo()
    await spaces(['profile', 'remove', 'grace'], { home }).expect(2, '--yes is required')
    const person = terminal(['profile', 'remove', 'grace'], { home })
    await person.waitFor('Remove grace and its token?')
    person.type('y')
    expect(await person.end()).toBe(0)
    expect((await spaces(['whoami', '--json'], { home }).expect(0)).json.display_name).toBe('Ada')
    await spaces(['profile', 'remove', 'grace', '--yes'], { home }).expect(2, 'There is no profile grace')
  })

  it('may have the name of a built-in property', async () => {
    const home = await freshHome()
    await login(home, '__proto__', ada).expect(0)
    await login(home, 'constructor', grace).expect(0)
    expect((await spaces(['whoami', '--json', '--profile', '__proto__'], { home }).expect(0)).json.display_name).toBe(
      'Ada',
    )
    await login(home, 'two words', ada).expect(2, 'no spaces')
  })

  it('are all stored when several sign in concurrently', async () => {
    const home = await freshHome()
    const names = Array.from({ length: 8 }, (_, index) => `account-${index}`)
    const runs = await Promise.all(names.map((name) => login(home, name, ada)))
    for (const run of runs) run.expect(0)
    const { profiles, current } = await keptIn(home)
    expect(Object.keys(profiles).sort()).toEqual(names)
    expect(names).toContain(current)
    expect(await readdir(dirname(configIn(home)))).toEqual(['config.json'])
  })
})

describe('the file of the accounts', () => {
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

  it('is readable by its owner only', async () => {
    const home = await homeOfTwo()
    expect(await modeOf(configIn(home))).toBe('600')
    expect(await modeOf(dirname(configIn(home)))).toBe('700')
  })

  it('is below XDG_CONFIG_HOME', async () => {
    const [home, config, cache] = [await freshHome(), await freshHome(), await freshHome()]
    const env = { SPACES_URL: server.url, XDG_CONFIG_HOME: config, XDG_CACHE_HOME: cache }
    await spaces(['login'], { home, env, stdin: ada.api_key }).expect(0)
    expect(await readdir(home)).toEqual([])
    expect(await readdir(`${config}/spaces`)).toEqual(['config.json'])
  })

  it('is rejected when other users can access it or its directory', async () => {
    const home = await homeOfTwo()
    const file = configIn(home)
    await chmod(file, 0o640)
    const run = await spaces(['whoami'], { home }).expect(
      1,
      `${file} holds tokens and is open to other users (mode 0640)`,
    )
    expect(run.stderr).toContain(`chmod 600 ${file}`)
    await chmod(file, 0o600)
    await chmod(dirname(file), 0o755)
    await spaces(['whoami'], { home }).expect(1, `${dirname(file)} holds tokens and is open to other users (mode 0755)`)
    await login(home, 'third', ada).expect(1, 'is open to other users')
    await chmod(dirname(file), 0o700)
    await spaces(['whoami'], { home }).expect(0)
  })

  it('is not quoted in the error when it is corrupt', async () => {
    const home = await freshHome()
    await mkdir(dirname(configIn(home)), { recursive: true, mode: 0o700 })
    for (const text of [
      '{"profiles": {"a": {"token": "svc_pat_0"',
      '[]',
      '{"profiles": {"a": {"token": "svc_pat_0"}}}',
    ]) {
      await writeFile(configIn(home), text, { mode: 0o600 })
      const run = await spaces(['whoami'], { home }).expect(1, 'is corrupt')
      expect(run.stderr).not.toContain('svc_')
    }
  })
})
