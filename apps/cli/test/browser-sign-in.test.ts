import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { type Actor, eventually, freshHome, spaces, startSpaces, useServer } from './support/index.js'

const server = useServer({ SERVER_KEY: '5a'.repeat(32) })
let ada: Actor

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
})

/** Writes a browser that approves the sign-in on every page it opens. Returns its path. */
async function browserOf(actor: Actor, home: string, change = ''): Promise<string> {
  const path = join(home, 'browser.mjs')
  const script = `#!${process.execPath}
    const page = new URL(process.argv[2])
    const asked = new URLSearchParams(page.hash.slice(1))
    ${change}
    const answer = await fetch(page.origin + '/api/sign-in/codes', {
      method: 'POST',
      headers: { authorization: 'Bearer ${actor.api_key}' },
      body: JSON.stringify({ challenge: asked.get('challenge'), name: asked.get('name') }),
    })
    const { code } = await answer.json()
    const bring = (more) => fetch('http://127.0.0.1:' + asked.get('port') + '/?' + new URLSearchParams(more))
    if ((await bring({ code, state: 'of another sign-in' })).status !== 404) process.exit(1)
    await bring({ code, state: asked.get('state') })`
  await writeFile(path, script)
  await chmod(path, 0o755)
  return path
}

it('login --web opens the page, and saves the session that an actor approves there', async () => {
  const home = await freshHome()
  const env = { SPACES_URL: server.url, SPACES_BROWSER: await browserOf(ada, home) }
  const run = await spaces(['login', '--web'], { home, env }).expect(0)
  expect(run.stdout).toContain('Ada')
  expect(run.stderr + run.stdout).not.toContain('svc_')
  const me = await spaces(['whoami', '--json'], { home }).expect(0)
  expect(JSON.parse(me.stdout)).toMatchObject({ actor_id: ada.actor_id })
  const listed = await server.as(ada).get(`/api/actors/${ada.actor_id}/credentials`).expect(200)
  expect(listed.map(({ kind }: { kind: string }) => kind)).toEqual(['api_key', 'session'])
  const out = await spaces(['logout', '--revoke', '--yes'], { home }).expect(0)
  expect(out.stdout).toContain('revoked its token')
  const left = await server.as(ada).get(`/api/actors/${ada.actor_id}/credentials`).expect(200)
  expect(left).toHaveLength(1)
})

it('logout --everywhere ends all sessions, also in browsers, but no token', async () => {
  const grace = await server.registerHuman('Grace')
  const homes = [await freshHome(), await freshHome()] as const
  for (const home of homes) {
    const env = { SPACES_URL: server.url, SPACES_BROWSER: await browserOf(grace, home) }
    await spaces(['login', '--web'], { home, env }).expect(0)
  }
  await server.as(grace).post('/api/personal-access-tokens', { name: 'script' }).expect(200)
  const out = await spaces(['logout', '--everywhere', '--yes'], { home: homes[0] }).expect(0)
  expect(out.stdout).toContain('Sessions that have ended: 2.')
  for (const home of homes) await spaces(['whoami'], { home }).expect(4)
  const left = await server.as(grace).get(`/api/actors/${grace.actor_id}/credentials`).expect(200)
  expect(left.map(({ kind }: { kind: string }) => kind)).toEqual(['api_key', 'token'])
})

it('login --web rejects a code for another command', async () => {
  const home = await freshHome()
  const stolen = `asked.set('challenge', 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg')`
  const env = { SPACES_URL: server.url, SPACES_BROWSER: await browserOf(ada, home, stolen) }
  const run = await spaces(['login', '--web'], { home, env })
  expect(run.stderr).toContain('The sign-in failed or took too long')
  await spaces(['whoami'], { home }).expect(4)
})

it('login --device shows a code, and waits until an actor approves it', async () => {
  const home = await freshHome()
  const bob = await server.registerHuman('Bob')
  const running = startSpaces(['login', '--device'], { home, env: { SPACES_URL: server.url } })
  const code = await eventually(() =>
    /\/device in a browser, and enter this code:\n([A-Z]{4}-[A-Z]{4})\n/.exec(running.stderr),
  )
  await server.as(bob).post(`/api/devices/${code[1]}`, { allow: true }).expect(200)
  const run = await running.end().expect(0)
  expect(run.stdout).toContain('Bob')
})

it('login rejects --web together with --device', async () => {
  const env = { SPACES_URL: server.url }
  await spaces(['login', '--web', '--device'], { env }).expect(2, '--web and --device: choose one')
})
