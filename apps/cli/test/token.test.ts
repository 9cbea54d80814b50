import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, freshHome, signedInAs, spaces, terminal, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
})

describe('auth token', () => {
  it('prints only the token in use, for another program', async () => {
    expect((await spaces(['auth', 'token'], { env }).expect(0)).stdout).toBe(`${ada.api_key}\n`)
    const home = await freshHome()
    await spaces(['login', '--url', server.url], { home, stdin: ada.api_key }).expect(0)
    const token = (await spaces(['auth', 'token'], { home }).expect(0)).stdout.trim()
    expect((await server.as(token).get('/api/actors/me').expect(200)).actor_id).toBe(ada.actor_id)
    expect((await spaces(['auth', 'token', '--json'], { home }).expect(0)).json).toEqual({ token })
    await spaces(['auth', 'token']).expect(4, 'You are not signed in')
  })
})

describe('token', () => {
  it('prints only the new token on standard output, and only once', async () => {
    const run = await spaces(['token', 'create', 'laptop'], { env }).expect(0, 'not shown again')
    expect(run.stdout).toMatch(/^svc_pat_[0-9a-f]{60}\n$/)
    expect((await server.as(run.stdout.trim()).get('/api/actors/me').expect(200)).actor_id).toBe(ada.actor_id)
    expect(run.stderr).not.toContain('svc_')
  })

  it('returns the answer of the API with --json', async () => {
    const created = await spaces(['token', 'create', 'robot', '--json'], { env }).expect(0)
    expect(created.stderr).toBe('')
    const listed = await spaces(['token', 'list', '--json'], { env }).expect(0)
    const { token, ...shown } = created.json
    expect(listed.json[0]).toEqual(shown)
    expect(listed.stdout).not.toContain(token)
  })

  it('is revoked after a confirmation, and then listed only on request', async () => {
    const { pat_id, token } = await server.as(ada).post('/api/personal-access-tokens', { name: 'lost' }).expect(200)
    await spaces(['token', 'revoke', pat_id], { env }).expect(2, '--yes is required')
    const hesitant = terminal(['token', 'revoke', pat_id], { env })
    await hesitant.waitFor(`Revoke ${pat_id}?`)
    hesitant.press('ctrl-c')
    expect(await hesitant.end()).toBe(2)
    await server.as(token).get('/api/actors/me').expect(200)

    await spaces(['token', 'revoke', pat_id, '--yes'], { env }).expect(0)
    await server.as(token).get('/api/actors/me').expect(401)
    expect((await spaces(['token', 'list'], { env }).expect(0)).stdout).not.toContain(pat_id)
    const all = await spaces(['token', 'list', '--all'], { env }).expect(0)
    expect(all.stdout).toMatch(/REVOKED$/m)
    expect(all.stdout).toMatch(new RegExp(`^${pat_id} +lost .* just now$`, 'm'))
  })

  it('is revoked with the credentials made with it, which are listed before and after', async () => {
    const client = server.as(ada)
    const { pat_id, token } = await client.post('/api/personal-access-tokens', { name: 'robot arm' }).expect(200)
    const mole = await server.registerAgent({ ...ada, api_key: token }, 'Mole')
    const hesitant = terminal(['token', 'revoke', pat_id], { env })
    await hesitant.waitFor(`agent Mole (${mole.actor_id})`)
    await hesitant.waitFor(`Revoke ${pat_id}?`)
    hesitant.press('ctrl-c')
    await hesitant.end()
    const listed = await spaces(['credential', 'list'], { env }).expect(0)
    expect(listed.stdout).toMatch(new RegExp(`^${pat_id} +robot arm .* 1 agent$`, 'm'))
    const run = await spaces(['credential', 'revoke', 'robot arm', '--yes'], { env }).expect(0)
    expect(run.stdout).toContain(`agent Mole (${mole.actor_id})`)
    await server.as(mole).post('/api/spaces', { space_id: 'hole' }).expect(403)
    expect((await spaces(['credential', 'list', '--json'], { env }).expect(0)).stdout).not.toContain(pat_id)
  })

  it('is refused to agents', async () => {
    const agent = await server.registerAgent(ada)
    const run = await spaces(['token', 'list', '--json'], { env: signedInAs(server, agent) }).expect(1)
    expect(run.error).toMatchObject({ status: 403, exit_code: 1 })
  })
})
