import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, describe, expect, it } from 'vitest'
import { environment, freshHome, MAIN, type Surroundings, signedInAs, spaces, useServer } from './support/index.js'

const server = useServer()
const open: Client[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

/** A host that starts the command, and speaks one generation of the protocol or the other. */
async function hostOf(mode: 'legacy' | { pin: string }, surroundings: Surroundings): Promise<Client> {
  const client = new Client({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode } })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp'],
    env: environment(surroundings),
    stderr: 'ignore',
  })
  await client.connect(transport)
  open.push(client)
  return client
}

describe.each([
  ['2026-07-28', { pin: '2026-07-28' }],
  ['2025-11-25', 'legacy'],
] as const)('a host that speaks %s', (version, mode) => {
  it('takes part with the token of a profile', async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    const scout = await server.registerAgent(ada, 'Scout')
    const home = await freshHome()
    await spaces(['login', '--url', server.url, '--profile', 'scout'], { home, stdin: scout.api_key }).expect(0)

    const host = await hostOf(mode, { home })
    expect(host.getNegotiatedProtocolVersion()).toBe(version)
    const space_id = path.slice('/api/spaces/'.length)
    const said = await host.callTool({ name: 'say', arguments: { space_id, text: 'Hello' } })
    expect(said.structuredContent).toMatchObject({ event: { posted_by: scout.actor_id, text: 'Hello' } })
    expect(await server.as(ada).get(`${path}/events`).expect(200)).toHaveLength(1)
  })

  it('ends a wait that the host cancels', async () => {
    const ada = await server.registerHuman('Ada')
    const host = await hostOf(mode, { env: signedInAs(server, ada) })
    const cancelled = new AbortController()
    const waiting = host.callTool({ name: 'wait_for_attention', arguments: {} }, { signal: cancelled.signal })
    cancelled.abort()
    await expect(waiting).rejects.toThrow()
    expect((await host.callTool({ name: 'whoami', arguments: {} })).structuredContent).toMatchObject({
      actor: { actor_id: ada.actor_id },
    })
  })
})

describe('spaces mcp', () => {
  it('answers what the server has not', async () => {
    const ada = await server.registerHuman('Ada')
    const host = await hostOf('legacy', { env: signedInAs(server, ada) })
    await server.as(ada).delete(`/api/actors/${ada.actor_id}`).expect(200)
    await expect(host.listTools()).rejects.toThrow(/Authentication required/)
  })

  it('starts for nobody who is not signed in', async () => {
    await spaces(['mcp'], { home: await freshHome() }).expect(4, 'You are not signed in')
  })

  it('ends with its input', async () => {
    const ada = await server.registerHuman('Ada')
    expect((await spaces(['mcp'], { env: signedInAs(server, ada) }).expect(0)).stdout).toBe('')
  })
})
