import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { type Actor, eventually, freePorts, useDirectory, useProgram } from '@collab-spaces/testing'
import {
  Client,
  IssuerMismatchError,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser, REDIRECT } from './support/oauth.js'
import { useServer } from './support/server.js'

const h = useServer()
const directory = useDirectory()
const INFO = { name: 'test', version: '1.0.0' }
const allOf = ({ actor_id }: Actor) => ({ actor_id, scopes: ['read', 'write'] })

/** An MCP host that stores its credentials, and keeps the authorization URL for the test's browser. */
class Host implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT
  authorizationUrl: URL | undefined
  #information: unknown
  #tokens: unknown
  #verifier = ''
  #discovery: unknown

  declare readonly clientMetadataUrl?: string

  constructor(clientMetadataUrl?: string) {
    if (clientMetadataUrl !== undefined) Object.assign(this, { clientMetadataUrl })
  }

  readonly clientMetadata = { client_name: 'A host', redirect_uris: [REDIRECT] }
  clientInformation = () => this.#information as never
  saveClientInformation = (information: unknown) => {
    this.#information = information
  }
  tokens = () => this.#tokens as never
  saveTokens = (tokens: unknown) => {
    this.#tokens = tokens
  }
  redirectToAuthorization = (url: URL) => {
    this.authorizationUrl = url
  }
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
  discoveryState = () => this.#discovery as never
  saveDiscoveryState = (state: unknown) => {
    this.#discovery = state
  }
}

/** Connects a new host, to which an actor consents. */
async function connect(url: string, host: Host, ada: Actor): Promise<Client> {
  const first = new StreamableHTTPClientTransport(new URL('/mcp', url), { authProvider: host })
  await expect(new Client(INFO).connect(first)).rejects.toThrow(UnauthorizedError)
  const back = await new Browser().consent(host.authorizationUrl as URL, ada.api_key, allOf(ada))
  await first.finishAuth(back.searchParams)
  return reconnect(url, host)
}

async function reconnect(url: string, host: Host): Promise<Client> {
  const client = new Client(INFO)
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { authProvider: host }))
  return client
}

const whoami = async (client: Client) =>
  ((await client.callTool({ name: 'whoami', arguments: {} })).structuredContent as { actor: Actor }).actor

describe('the client of the MCP project', () => {
  it('connects after consent, and refreshes its access token', async () => {
    const ada = await h.registerHuman()
    const host = new Host()
    const client = await connect(h.url, host, ada)
    expect(await whoami(client)).toMatchObject({ actor_id: ada.actor_id })
    expect(host.authorizationUrl?.searchParams.get('resource')).toBe(`${h.url}/mcp`)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('say')
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('settle_decision')
    await client.close()

    // An invalid access token is refreshed without another consent.
    const tokens = host.tokens() as { access_token: string }
    host.saveTokens({ ...tokens, access_token: 'svc_mcp_1_over' })
    const later = await reconnect(h.url, host)
    expect(await whoami(later)).toMatchObject({ actor_id: ada.actor_id })
    expect((host.tokens() as { access_token: string }).access_token).not.toBe(tokens.access_token)
    await later.close()
  })

  it('rejects a response of another issuer', async () => {
    const ada = await h.registerHuman()
    const host = new Host()
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', h.url), { authProvider: host })
    await expect(new Client(INFO).connect(transport)).rejects.toThrow(UnauthorizedError)
    const back = await new Browser().consent(host.authorizationUrl as URL, ada.api_key, allOf(ada))
    back.searchParams.set('iss', 'https://elsewhere.example')
    await expect(transport.finishAuth(back.searchParams)).rejects.toThrow(IssuerMismatchError)
  })
})

describe('mcp-remote', () => {
  it('connects a host that can only start local programs', async () => {
    const ada = await h.registerHuman()
    const manifest = createRequire(import.meta.url).resolve('mcp-remote/package.json')
    const [port] = [await freePorts(1)].flat()
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        join(dirname(manifest), 'dist/proxy.js'),
        `${h.url}/mcp`,
        String(port),
        '--host',
        '127.0.0.1',
        '--allow-http',
      ],
      // This path has no browser to open.
      env: { PATH: directory.path, HOME: directory.path, MCP_REMOTE_CONFIG_DIR: directory.path },
      stderr: 'pipe',
    })
    let output = ''
    transport.stderr?.on('data', (chunk) => {
      output += chunk
    })
    const client = new OldClient(INFO)
    // biome-ignore lint/suspicious/noExplicitAny: its own types do not fit each other where optional means optional
    const connected = client.connect(transport as any)
    const url = await eventually(() => /http:\S+\/oauth\/authorize\S+/.exec(output)?.[0])
    const back = await new Browser().consent(new URL(url), ada.api_key, allOf(ada))
    await eventually(() => output.includes('OAuth callback server running'))
    expect((await fetch(back)).status).toBe(200)
    await connected
    const result = await client.callTool({ name: 'whoami', arguments: {} })
    expect(result.structuredContent).toMatchObject({ actor: { actor_id: ada.actor_id } })
    await client.close()
  })
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe.skipIf(!hasOpenssl)('a client with a metadata document', () => {
  const files = useDirectory()
  const certificate = () => join(files.path, 'certificate.pem')
  const environment: Record<string, string> = { WEBHOOK_NETWORKS: 'public,loopback', SERVER_KEY: '5a'.repeat(32) }
  const tls = createServer()
  const requests: string[] = []
  let documents = ''

  beforeAll(async () => {
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
    const key = join(files.path, 'key.pem')
    expect(spawnSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate()]).status).toBe(0)
    tls.setSecureContext({ key: readFileSync(key), cert: readFileSync(certificate()) })
    tls.on('request', ({ url = '' }, response) => {
      requests.push(url)
      const client_id = `${documents}${url}`
      const document = {
        client_id,
        client_name: 'Documented',
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: 'none',
      }
      if (url === '/moved.json') return response.writeHead(302, { location: '/client.json' }).end()
      if (url === '/text.json') return response.end('A program')
      if (url === '/large.json') return response.end(JSON.stringify({ ...document, client_uri: 'x'.repeat(100_000) }))
      if (url === '/other.json')
        return response.end(JSON.stringify({ ...document, client_id: `${documents}/client.json` }))
      response.end(JSON.stringify(document))
    })
    tls.listen(0, '127.0.0.1')
    await once(tls, 'listening')
    documents = `https://localhost:${(tls.address() as AddressInfo).port}`
    Object.assign(environment, { LOG_LEVEL: 'warn', NODE_EXTRA_CA_CERTS: certificate() })
  })
  afterAll(() => {
    tls.close()
    tls.closeAllConnections()
  })
  const program = useProgram(environment)

  it('is identified by the URL of the document', async () => {
    const ada = await program.registerHuman()
    const host = new Host(`${documents}/client.json`)
    const client = await connect(program.url, host, ada)
    expect(await whoami(client)).toMatchObject({ actor_id: ada.actor_id })
    expect(host.authorizationUrl?.searchParams.get('client_id')).toBe(`${documents}/client.json`)
    // The document is cached.
    expect(requests.filter((url) => url === '/client.json')).toHaveLength(1)
    await client.close()

    const browser = new Browser()
    const { url } = await browser.open(host.authorizationUrl as URL)
    expect(await (await browser.request(url)).json()).toMatchObject({
      client_name: 'Documented',
      client_host: new URL(documents).host,
      redirect_to: '127.0.0.1:7777',
      resource: 'mcp',
      scopes: ['read', 'write'],
    })
  })

  it.each([
    ['/moved.json', 'Answered 302, not 200'],
    ['/large.json', 'It has more than 16384 bytes'],
    ['/text.json', 'It is not JSON'],
    ['/other.json', 'client_id does not match'],
  ])('is refused if its document is %s, with the reason in the log', async (path, why) => {
    const { url, status, text } = await new Browser().open(
      new URL(`/oauth/authorize?client_id=${encodeURIComponent(documents + path)}&response_type=code`, program.url),
    )
    expect([url.pathname, status]).toEqual(['/oauth/authorize', 400])
    expect(text).toContain(`${documents}${path}`)
    await eventually(() => program.program.stderr.includes(why))
    expect(requests).toContain(path)
  })

  it('is refused if the server may not send requests to its host', async () => {
    const elsewhere = encodeURIComponent('https://10.0.0.1/client.json')
    const { status } = await new Browser().open(new URL(`/oauth/authorize?client_id=${elsewhere}`, program.url))
    expect(status).toBe(400)
  })
})
