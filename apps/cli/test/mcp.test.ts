import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, describe, expect, it } from 'vitest'
import { environment, freshHome, MAIN, type Surroundings, signedInAs, spaces, useServer } from './support/index.js'

const server = useServer()
const open: Client[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

/** Starts the command as an MCP host that speaks one version of the protocol. */
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
  it('participates with the token of a profile', async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    const scout = await server.registerAgent(ada, 'Scout')
    const home = await freshHome()
    await spaces(['login', '--url', server.url, '--profile', 'scout'], { home, stdin: scout.api_key }).expect(0)

    const host = await hostOf(mode, { home })
    expect(host.getNegotiatedProtocolVersion()).toBe(version)
    const space_id = path.slice('/api/spaces/'.length)
    const result = await host.callTool({ name: 'say', arguments: { space_id, text: 'Hello' } })
    expect(result.structuredContent).toMatchObject({
      event: { posted_by: scout.actor_id, text: expect.stringContaining('\nHello\n') },
    })
    expect(await server.as(ada).get(`${path}/events`).expect(200)).toHaveLength(1)
  })

  it('ends a wait that the host cancels', async () => {
    const ada = await server.registerHuman('Ada')
    const host = await hostOf(mode, { env: signedInAs(server, ada) })
    const cancelled = new AbortController()
    const call = host.callTool({ name: 'wait_for_attention', arguments: {} }, { signal: cancelled.signal })
    cancelled.abort()
    await expect(call).rejects.toThrow()
    expect((await host.callTool({ name: 'whoami', arguments: {} })).structuredContent).toMatchObject({
      actor: { actor_id: ada.actor_id },
    })
  })
})

describe('spaces mcp', () => {
  it('returns an authentication error of the server', async () => {
    const ada = await server.registerHuman('Ada')
    const host = await hostOf('legacy', { env: signedInAs(server, ada) })
    await server.as(ada).delete(`/api/actors/${ada.actor_id}`).expect(200)
    await expect(host.listTools()).rejects.toThrow(/Authentication required/)
  })

  it('fails without a signed-in account', async () => {
    await spaces(['mcp'], { home: await freshHome() }).expect(4, 'You are not signed in')
  })

  it('ends with its input', async () => {
    const ada = await server.registerHuman('Ada')
    expect((await spaces(['mcp'], { env: signedInAs(server, ada) }).expect(0)).stdout).toBe('')
  })

  it('answers requests before its input ended', async () => {
    const ada = await server.registerHuman('Ada')
    const requests = [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      ...[1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'whoami', arguments: {} } })),
    ]
    // The last line has no line break, as with `printf`.
    const stdin = requests.map((message) => JSON.stringify(message)).join('\n')
    const { lines } = await spaces(['mcp'], { env: signedInAs(server, ada), stdin }).expect(0)
    expect(lines.map((line) => JSON.parse(line)).sort((a, b) => a.id - b.id)).toMatchObject(
      [1, 2].map((id) => ({ id, result: { structuredContent: { actor: { actor_id: ada.actor_id } } } })),
    )
  })

  it('ends although the server is unreachable', async () => {
    const env = { ...signedInAs(server, await server.registerHuman('Ada')), SPACES_URL: 'http://127.0.0.1:1' }
    const stdin = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
    const { json } = await spaces(['mcp'], { env, stdin }).expect(0)
    expect(json).toMatchObject({ id: 1, error: { message: expect.stringContaining('fetch failed') } })
  })

  it('names the line that is no message', async () => {
    const ada = await server.registerHuman('Ada')
    const stdin = '\nhello\n'
    await spaces(['mcp'], { env: signedInAs(server, ada), stdin }).expect(
      0,
      'Line 2 of the input is not a JSON-RPC message',
    )
  })
})
