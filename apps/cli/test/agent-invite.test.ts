import { stat } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, configIn, freshHome, keptIn, signedInAs, spaces, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>
let space: string

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  space = (await server.openSpace(ada, 'plans')).split('/').at(-1) as string
})

const agents = async () => server.as(ada).get('/api/actors/me/agents').expect(200)

describe('agent invite and join', () => {
  it('print one line to paste, and store the key only on the machine that joins', async () => {
    const flags = ['--space', space, '--scope', 'read', '--scope', 'write', '--expires', '30d']
    const invited = await spaces(['agent', 'invite', 'Scout', ...flags], { env }).expect(
      0,
      'spaces agent uninvite cod_',
    )
    expect(invited.stdout).toMatch(/^spaces agent join agt_code_[0-9a-f]{64} --url http:\S+\n$/)

    const home = await freshHome()
    const joined = await spaces(invited.stdout.trim().split(' ').slice(1), { home }).expect(0)
    const { current, profiles } = await keptIn(home)
    expect(current).toBe('scout')
    const { token, ...profile } = profiles.scout
    expect(token).toMatch(/^svc_[0-9a-f]{64}$/)
    expect(`${joined.stdout}${joined.stderr}`).not.toContain(token)
    expect((await stat(configIn(home))).mode & 0o777).toBe(0o600)
    const [scout] = await agents()
    expect(profile).toEqual({
      url: server.url,
      actor_id: scout.actor_id,
      display_name: 'Scout',
      installation_id: scout.connection.installation_id,
    })
    expect((await spaces(['say', space, 'Here'], { home }).expect(0)).stdout).toContain('Here')
    await spaces(['inbox'], { home }).expect(0)
    expect((await spaces(['agent', 'invites', '--json'], { env }).expect(0)).json).toMatchObject([
      { agent_id: scout.actor_id, scopes: ['read', 'write'], space_ids: [space] },
    ])
  })

  it('take the code from standard input, and repeat a join whose answer was lost', async () => {
    const { json } = await spaces(['agent', 'invite', 'Ranger', '--json'], { env }).expect(0)
    const home = await freshHome()
    const join = (...more: string[]) =>
      spaces(['agent', 'join', '--url', server.url, '--json', ...more], { home, stdin: json.code })
    const first = (await join().expect(0)).json
    const before = (await keptIn(home)).profiles.ranger
    const again = (await join().expect(0)).json
    expect(again).toMatchObject({ actor_id: first.actor_id, profile: 'ranger' })
    expect(first).not.toHaveProperty('api_key')
    const { profiles } = await keptIn(home)
    await server.as(before.token).get('/api/actors/me').expect(401)
    await join('--installation', 'elsewhere').expect(1, 'Code not found')
    const named = (await join('--profile', 'ranger').expect(0)).json
    expect(named).toMatchObject({ actor_id: first.actor_id, profile: 'ranger' })
    await server.as(profiles.ranger.token).get('/api/actors/me').expect(401)
    await server
      .as((await keptIn(home)).profiles.ranger.token)
      .get('/api/actors/me')
      .expect(200)
    await join('--profile', 'ranger').expect(1, 'Code not found')
    const { json: second } = await spaces(['agent', 'invite', 'Ranger', '--json'], { env }).expect(0)
    const other = await spaces(['agent', 'join', second.code, '--url', server.url, '--json'], { home }).expect(0)
    expect(other.json).toMatchObject({ profile: 'ranger-2', installation_id: first.installation_id })
  })

  it('keep the profile name of the first join', async () => {
    const { json } = await spaces(['agent', 'invite', 'Rover', '--json'], { env }).expect(0)
    const home = await freshHome()
    const join = (...more: string[]) =>
      spaces(['agent', 'join', json.code, '--url', server.url, '--json', ...more], { home }).expect(0)
    expect((await join('--profile', 'mine')).json.profile).toBe('mine')
    expect((await join()).json.profile).toBe('mine')
    await spaces(['inbox', '--profile', 'mine'], { home }).expect(0)
    expect(Object.keys((await keptIn(home)).profiles)).toEqual(['mine'])
  })

  it('reject the used code for another machine, and keep the key of the first', async () => {
    const invited = await spaces(['agent', 'invite', 'Walker'], { env }).expect(0)
    const line = invited.stdout.trim().split(' ').slice(1)
    const home = await freshHome()
    await spaces(line, { home }).expect(0)
    await spaces(line, { home: await freshHome() }).expect(1, 'Code not found')
    await spaces(['whoami'], { home }).expect(0)
  })

  it('leave the current account as it is', async () => {
    const home = await freshHome()
    await spaces(['login', '--url', server.url, '--profile', 'ada'], { home, stdin: ada.api_key }).expect(0)
    const { json } = await spaces(['agent', 'invite', 'Spare', '--json'], { home }).expect(0)
    await spaces(['agent', 'join', json.code], { home }).expect(0)
    expect((await keptIn(home)).current).toBe('ada')
    const { json: other } = await spaces(['agent', 'invite', 'Spare', '--json'], { home }).expect(0)
    await spaces(['agent', 'join', other.code, '--profile', 'ada'], { home }).expect(2, 'already belongs to Ada')
  })

  it('reject a revoked code', async () => {
    const { json } = await spaces(['agent', 'invite', 'Zoe', '--json', '--valid', '1'], { env }).expect(0)
    expect(Date.parse(json.expires_at) - Date.parse(json.created_at)).toBe(60_000)
    await spaces(['agent', 'uninvite', 'Zoe'], { env }).expect(0)
    const refused = await spaces(['agent', 'join', json.code, '--url', server.url], { home: await freshHome() })
    refused.expect(1, 'Code not found')
    expect(refused.stderr).not.toContain(json.code)
    expect((await spaces(['agent', 'invites'], { env }).expect(0)).stdout).toContain('revoked')
  })
})

describe('agent stop and start', () => {
  it('apply to one agent, or to all', async () => {
    const human = await server.registerHuman('Grace')
    const graces = signedInAs(server, human)
    const [one, two] = [await server.registerAgent(human, 'One'), await server.registerAgent(human, 'Two')]
    await spaces(['agent', 'stop'], { env: graces }).expect(2, 'Name an agent, or use --all')
    await spaces(['agent', 'stop', 'One', '--all'], { env: graces }).expect(2, 'Name an agent, or use --all')
    const stopped = await spaces(['agent', 'stop', 'One', '--reason', 'It loops'], { env: graces }).expect(0)
    expect(stopped.stdout).toBe('Stopped One.\n')
    const refused = await spaces(['say', space, 'x'], { env: signedInAs(server, one) })
    refused.expect(1, 'The agent is stopped: It loops')
    expect((await spaces(['agent', 'show', 'One'], { env: graces }).expect(0)).stdout).toContain('It loops')
    expect((await spaces(['agent', 'stop', '--all', '--json'], { env: graces }).expect(0)).json).toMatchObject([
      { actor_id: two.actor_id, stopped: { reason: null } },
    ])
    expect((await spaces(['agent', 'start', '--all'], { env: graces }).expect(0)).stdout).toBe('Started One, Two.\n')
    expect((await spaces(['agent', 'start', '--all'], { env: graces }).expect(0)).stdout).toBe(
      'No agent was stopped.\n',
    )
    await spaces(['agent', 'stop', 'Two'], { env: graces }).expect(0)
    expect((await spaces(['agent', 'start', 'Two', '--json'], { env: graces }).expect(0)).json.stopped).toBe(null)
  })
})

describe('a limited token', () => {
  it('shows its limits, and is refused an operation outside of its scopes', async () => {
    const flags = ['--scope', 'read', '--space', space, '--expires', '2099-01-01']
    const { json } = await spaces(['token', 'create', 'ci', ...flags, '--json'], { env }).expect(0)
    expect(json).toMatchObject({ scopes: ['read'], space_ids: [space], expires_at: '2099-01-01T00:00:00.000Z' })
    expect((await spaces(['token', 'list'], { env }).expect(0)).stdout).toMatch(/read; in plans; expires /)
    const ci = { SPACES_URL: server.url, SPACES_TOKEN: json.token }
    await spaces(['read', space], { env: ci }).expect(0)
    await spaces(['say', space, 'x'], { env: ci }).expect(1, 'Token lacks the scope "write"', '--scope write')
    await spaces(['token', 'create', 'x', '--scope', 'all'], { env }).expect(
      2,
      'read, write, settle, manage or account',
    )
    const registered = await spaces(['agent', 'register', 'Limited', '--scope', 'read', '--json'], { env }).expect(0)
    expect(registered.json.scopes).toEqual(['read'])
    const more = ['--scope', 'read', '--scope', 'write', '--expires', '30d']
    const rotated = await spaces(['agent', 'rotate-key', 'Limited', ...more, '--yes', '--json'], { env }).expect(0)
    expect(rotated.json).toMatchObject({ scopes: ['read', 'write'], expires_at: expect.any(String) })
  })
})
