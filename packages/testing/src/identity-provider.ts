import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider from 'oidc-provider'
import { afterAll, beforeAll } from 'vitest'
import type { Client } from './client.js'
import { freePorts } from './port.js'

/** Started on first use. */
export const SHARED_PORT = await freePorts(1)

export type IdClaims = Readonly<Record<string, unknown>>

export const CLIENT = { OIDC_CLIENT_ID: 'spaces', OIDC_CLIENT_SECRET: 'a-secret-of-the-client' }

const ALGORITHM = { alg: 'RS256', use: 'sig', kid: 'test' }
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** An OpenID Connect provider on this machine. */
export class IdentityProvider {
  /** The accounts by subject. */
  readonly accounts = new Map<string, IdClaims>()
  /** A change to the claims before they are signed again; null for none. */
  tamper: ((claims: IdClaims) => IdClaims) | null = null
  /** The subject of the browser's user. */
  signedIn = ''
  #server = createServer()

  private constructor(
    readonly issuer: string,
    /** Signs changed tokens. */
    public key: KeyObject,
  ) {}

  static async start(port: number, key = newKey(), hasLogout = true): Promise<IdentityProvider> {
    const own = new IdentityProvider(`http://127.0.0.1:${port}`, key)
    const provider = new Provider(own.issuer, {
      clients: [
        {
          client_id: CLIENT.OIDC_CLIENT_ID,
          client_secret: CLIENT.OIDC_CLIENT_SECRET,
          redirect_uris: ['https://spaces.invalid/sign-in/callback'],
          post_logout_redirect_uris: ['https://spaces.invalid/sign-in/callback'],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      jwks: { keys: [{ ...own.key.export({ format: 'jwk' }), ...ALGORITHM }] },
      cookies: { keys: [randomBytes(32).toString('hex')] },
      features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: hasLogout } },
      scopes: ['openid', 'email', 'profile', 'groups'],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups', 'hd'] },
      interactions: { url: () => '/interaction' },
      findAccount: (_context: unknown, subject: string) => {
        const claims = own.accounts.get(subject)
        return claims && { accountId: subject, claims: () => ({ sub: subject, ...claims }) }
      },
      // biome-ignore lint/suspicious/noExplicitAny: the library's context
      loadExistingGrant: async ({ oidc }: any) => {
        const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
        grant.addOIDCScope('openid email profile groups')
        await grant.save()
        return grant
      },
    })
    // The first request determines the site.
    provider.Client.prototype.redirectUriAllowed = () => true
    provider.Client.prototype.postLogoutRedirectUriAllowed = () => true
    const handle = provider.callback()
    own.#server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === '/interaction') {
        // Several users may sign in concurrently, so each names itself.
        const accountId = request.headers.from ?? own.signedIn
        void provider.interactionFinished(request, response, { login: { accountId } })
        return
      }
      if (request.url === '/token') own.#signAgain(response)
      handle(request, response)
    })
    // The shared provider outlives every test.
    own.#server.listen(port, '127.0.0.1').unref()
    await once(own.#server, 'listening')
    return own
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Signs a user in as a browser would. Returns the redirect address. */
  async visit(url: string, subject: string): Promise<URL> {
    const cookies = new Map<string, string>()
    for (let at = new URL(url); ; ) {
      if (at.pathname === '/sign-in/callback') return at
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await fetch(at, { redirect: 'manual', headers: { cookie, from: subject } })
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        cookies.set(name, value)
      }
      const location = answer.headers.get('location')
      if (location === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`)
      at = new URL(location, at)
    }
  }

  #signAgain(response: ServerResponse): void {
    const end = response.end.bind(response)
    response.end = ((chunk: unknown) => {
      const { tamper } = this
      const body = JSON.parse(String(chunk))
      if (tamper && body.id_token) body.id_token = this.#signed(tamper(claimsIn(body.id_token)))
      const text = JSON.stringify(body)
      response.setHeader('content-length', Buffer.byteLength(text))
      return end(text)
    }) as typeof response.end
  }

  #signed(claims: IdClaims): string {
    const text = [{ ...ALGORITHM, typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    return `${text}.${createSign('RSA-SHA256').update(text).sign(this.key, 'base64url')}`
  }
}

const claimsIn = (token: string): IdClaims => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** Returns the secret that a page keeps when it starts the sign-in, and the challenge that it sends. */
export function newVerifier(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export interface SignInResult {
  readonly code: string
  readonly state: string
  readonly iss: string
  readonly verifier: string
}

/** Signs in as the page does, up to the redirect back. `change` may change the address of the provider. */
export async function returnFrom(
  provider: IdentityProvider,
  h: Client,
  subject: string,
  change: (url: URL) => void = () => {},
): Promise<SignInResult> {
  const { verifier, challenge } = newVerifier()
  const { url } = await h.post('/api/sign-in/oidc', { challenge }).expect(200)
  const changed = new URL(url)
  change(changed)
  const { searchParams } = await provider.visit(changed.href, subject)
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => searchParams.get(name) ?? '') as [
    string,
    string,
    string,
  ]
  return { code, state, iss, verifier }
}

let shared: Promise<IdentityProvider> | null = null
let newcomers = 0

/** Returns the default provider of all servers in this process. */
export function sharedProvider(): Promise<IdentityProvider> {
  shared ??= IdentityProvider.start(SHARED_PORT)
  return shared
}

/** Signs a new user in at the shared provider. */
export async function newcomerFrom(h: Client): Promise<SignInResult> {
  const provider = await sharedProvider()
  newcomers += 1
  const subject = `newcomer-${newcomers}`
  provider.accounts.set(subject, { email: `${subject}@example.org`, email_verified: true, name: subject })
  return returnFrom(provider, h, subject)
}

/** Returns the settings of a server for the provider on this port. */
export const settingsFor = (port: number) => ({ OIDC_ISSUER: `http://127.0.0.1:${port}`, ...CLIENT })

/** Provides an identity provider for all tests of a file. */
export function useProvider(port: number): { current: IdentityProvider } {
  const holder = {} as { current: IdentityProvider }
  beforeAll(async () => {
    holder.current = await IdentityProvider.start(port)
  })
  afterAll(() => holder.current?.stop())
  return holder
}
