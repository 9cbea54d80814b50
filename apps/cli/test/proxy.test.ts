import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, freshHome, signedInAs, spaces, startSpaces, tunnelTo, useServer } from './support/index.js'

/** No machine has this name: it is reachable only through the proxy. */
const HOST = 'spaces.example'

const server = useServer({ ALLOWED_HOSTS: HOST })
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  await server.openSpace(ada, 'plans')
  env = { ...signedInAs(server, ada), SPACES_URL: `http://${HOST}:${new URL(server.url).port}` }
})

const address = () => new URL(env.SPACES_URL as string).host

describe('behind a proxy', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('%s reaches a server on another machine', async (variable) => {
    const { url, tunnels } = await tunnelTo(server.url)
    const behind = { env: { ...env, [variable]: url } }
    await spaces(['say', 'plans', 'Through the proxy'], behind).expect(0)
    const read = await spaces(['read', 'plans', '--json'], behind).expect(0)
    expect(read.json.at(-1)).toMatchObject({ text: 'Through the proxy' })
    expect(new Set(tunnels)).toEqual(new Set([address()]))
  })

  it('accepts the address of a proxy without a scheme', async () => {
    const { url, tunnels } = await tunnelTo(server.url)
    await spaces(['space', 'list'], { env: { ...env, HTTP_PROXY: new URL(url).host } }).expect(0)
    expect(tunnels).toEqual([address()])
  })

  it.each(['HTTPS_PROXY', 'https_proxy'])('%s applies to https', async (variable) => {
    const { url, tunnels } = await tunnelTo(server.url)
    // The server at this address does not speak TLS.
    const there = { ...env, SPACES_URL: `https://${HOST}`, [variable]: url }
    await spaces(['space', 'list'], { env: there }).expect(3, 'No answer from the server')
    expect(tunnels).toEqual([`${HOST}:443`])
  })

  it.each([
    ['NO_PROXY', HOST],
    ['no_proxy', `elsewhere.example, .example`],
    ['NO_PROXY', '*'],
  ])('%s=%s exempts a server', async (variable, hosts) => {
    const { url, tunnels } = await tunnelTo(server.url)
    const exempt = { ...env, HTTP_PROXY: url, [variable]: hosts }
    await spaces(['space', 'list'], { env: exempt }).expect(3, 'No answer from the server')
    expect(tunnels).toEqual([])
  })

  it('exempts the local machine', async () => {
    const { url, tunnels } = await tunnelTo(server.url)
    for (const host of ['127.0.0.1', 'localhost']) {
      const here = {
        ...env,
        SPACES_URL: `http://${host}:${new URL(server.url).port}`,
        HTTP_PROXY: url,
        HTTPS_PROXY: url,
      }
      await spaces(['space', 'list'], { env: here }).expect(0)
    }
    expect(tunnels).toEqual([])
  })

  it('names the variables when one is invalid', async () => {
    await spaces(['space', 'list'], { env: { ...env, HTTP_PROXY: 'socks://nowhere' } }).expect(
      3,
      'HTTPS_PROXY or HTTP_PROXY: not',
    )
  })

  it('connects an MCP host', async () => {
    const { url, tunnels } = await tunnelTo(server.url)
    const call = { jsonrpc: '2.0', id: 1, method: 'initialize' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1' } }
    const stdin = `${JSON.stringify({ ...call, params })}\n`
    const answered = await spaces(['mcp'], { env: { ...env, HTTP_PROXY: url }, stdin }).expect(0)
    expect(answered.json).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } })
    expect(tunnels).toEqual([address()])
  })

  it('runs an agent over ACP', async () => {
    const { url, tunnels } = await tunnelTo(server.url)
    const scout = await server.registerAgent(ada, 'Scout')
    const path = await server.openSpace(ada)
    const mentions = [scout.actor_id]
    await server.as(ada).post(`${path}/speech`, { text: 'say To the sea.', metadata: { mentions } }).expect(200)
    const program = fileURLToPath(new URL('support/acp-agent.mjs', import.meta.url))
    await server.as(scout).post(`${path}/join`).expect(200)
    const home = await freshHome()
    const acp = ['agent', 'run', '--acp', `"${process.execPath}" "${program}"`]
    startSpaces(acp, {
      env: { ...env, SPACES_TOKEN: scout.api_key, HTTP_PROXY: url, AGENT_LOG: join(home, 'log') },
      home,
    })
    const texts = async () => (await server.as(ada).get(`${path}/transcript`).expect(200)) as { posted_by: string }[]
    await eventually(async () => (await texts()).some(({ posted_by }) => posted_by === scout.actor_id))
    expect(new Set(tunnels)).toEqual(new Set([address()]))
  })
})
