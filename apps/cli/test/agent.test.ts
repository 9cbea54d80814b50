import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, signedInAs, spaces, terminal, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
})

const whoHas = (key: string) => server.as(key).get('/api/actors/me').expect(200)

describe('agent in a pipe', () => {
  it('registers an agent, and prints nothing but its key', async () => {
    const run = await spaces(['agent', 'register', 'Scout', '--about', 'Finds places to go'], { env }).expect(0)
    expect(run.stdout).toMatch(/^svc_[0-9a-f]{64}\n$/)
    expect(run.stderr).toContain('Registered Scout')
    const scout = await whoHas(run.stdout.trim())
    expect(scout).toMatchObject({
      display_name: 'Scout',
      actor_type: 'agent',
      sponsor_id: ada.actor_id,
      agent_profile: 'Finds places to go',
    })
    const agents = (await spaces(['agent', 'list', '--json'], { env }).expect(0)).json
    expect(agents).toMatchObject([{ actor_id: scout.actor_id, agent_profile: 'Finds places to go' }])
  })

  it('changes the name and the metadata', async () => {
    const { actor_id } = await server.registerAgent(ada)
    const edit = ['agent', 'edit', actor_id]
    await spaces(edit, { env }).expect(2, 'Nothing to change')
    const named = await spaces([...edit, '--name', 'Ranger', '--metadata', '{"range": 9}', '--json'], { env }).expect(0)
    expect(named.json).toMatchObject({ display_name: 'Ranger', metadata: { range: 9 } })
    const cleared = (await spaces([...edit, '--no-metadata', '--json'], { env }).expect(0)).json
    expect(cleared).toMatchObject({ display_name: 'Ranger', metadata: null })
  })

  it('shows an agent by its name, and where it is connected', async () => {
    const { actor_id, display_name } = await server.registerAgent(ada, 'Ranger 7')
    const show = ['agent', 'show', display_name]
    expect((await spaces(show, { env }).expect(0)).stdout).toMatch(/^connected +no$/m)
    await spaces(['agent', 'connect', actor_id, '--installation', 'laptop', '--adapter', 'mcp'], { env }).expect(0)
    expect((await spaces(show, { env }).expect(0)).stdout).toMatch(/^connected +to laptop by mcp, just now$/m)
    expect((await spaces(['agent', 'list'], { env }).expect(0)).stdout).toContain('to laptop by mcp, just now')
    expect((await spaces(['agent', 'show', actor_id, '--json'], { env }).expect(0)).json.connection).toMatchObject({
      installation_id: 'laptop',
      agent_adapter: 'mcp',
    })
    await spaces(['agent', 'show', 'Zoe'], { env }).expect(1, 'Agent not found')
    await server.registerAgent(ada, display_name)
    await spaces(show, { env }).expect(2, 'More than one agent fits Ranger 7')
  })

  it('says what to do when the agent is connected elsewhere', async () => {
    const { actor_id, api_key } = await server.registerAgent(ada)
    const connect = ['agent', 'connect', actor_id, '--json', '--installation']
    const connected = (await spaces([...connect, 'laptop'], { env }).expect(0)).json
    expect(connected).toMatchObject({ agent_id: actor_id, status: 'connected', installation_id: 'laptop' })
    expect((await spaces([...connect, 'desktop'], { env }).expect(5)).error).toMatchObject({ error: 'agent_connected' })

    const rotate = ['agent', 'rotate-key', actor_id, '--yes']
    const refused = await spaces(rotate, { env }).expect(5, `spaces agent release ${actor_id}`)
    expect(refused.stderr).toContain(`spaces agent rotate-key ${actor_id} --force`)
    await whoHas(api_key)

    const forced = await spaces([...rotate, '--force'], { env }).expect(0)
    expect((await whoHas(forced.stdout.trim())).actor_id).toBe(actor_id)
    await server.as(api_key).get('/api/actors/me').expect(401)

    const release = ['agent', 'release', actor_id]
    expect((await spaces([...release, '--json'], { env }).expect(0)).json.status).toBe('released')
    expect((await spaces(release, { env }).expect(0)).stdout).toBe(`${actor_id} was not connected.\n`)
    await spaces(rotate, { env }).expect(0)
  })
})

describe('agent in a terminal', () => {
  it('asks before it replaces a key or deletes an agent', async () => {
    const { actor_id, api_key } = await server.registerAgent(ada)
    const rotating = terminal(['agent', 'rotate-key', actor_id], { env })
    await rotating.waitFor('Replace the API key')
    rotating.press('enter')
    expect(await rotating.end()).toBe(2)
    await whoHas(api_key)

    const deleting = terminal(['agent', 'delete', actor_id], { env })
    await deleting.waitFor(`Delete ${actor_id}?`)
    deleting.type('y')
    expect(await deleting.end()).toBe(0)
    await server.as(api_key).get('/api/actors/me').expect(401)
  })
})
