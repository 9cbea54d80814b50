import { createPrivateKey } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { hashOf, payerOf, type Services } from '@collab-spaces/api'
import { databaseClock } from '@collab-spaces/db'
import {
  ACCESS_TOKEN_SECONDS,
  accessToken,
  CONSENT_SECONDS,
  cutText,
  DEFAULT_GRANT_SCOPES,
  isRedirect,
  REFRESH_TOKEN_SECONDS,
  RESOURCES,
  type Resource,
  TOKEN_SCOPES,
} from '@collab-spaces/domain'
import Provider, {
  type Configuration,
  type ErrorOut,
  errors,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import type { ServerKey } from '../server-key.js'
import { type AddressGuard, addressIn } from '../webhooks/address-guard.js'
import { DOCUMENT_BYTES, fetchDocument } from './document.js'
import { type Asking, clientSecret, credentialIdOf, recordsOf } from './records.js'

/** Where programs ask. */
const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
} as const

/** The page on which somebody says what a program may do. Its cookie goes to what is below, and nowhere else. */
const consentPath = (uid: string): string => `/connect/${uid}`

/** How long the document of a program may take to come. */
const FETCH_MS = 2_500

/** The library wants to know somebody. It learns nobody: who says yes to a program is written with the grant. */
const SOMEBODY = 'somebody'

/** The answer when somebody has said yes. */
export const consentTo = (grantId: string) => ({
  login: { accountId: SOMEBODY, remember: false },
  consent: { grantId },
})

/** No longer than the grant itself can last, which has its own end among credentials. */
const GRANT_SECONDS = 10 * 365 * 24 * 3_600

export interface ProviderOptions {
  readonly services: Services
  readonly key: ServerKey
  readonly guard: AddressGuard
  /** The origin of the service's public address. */
  readonly issuer: string
  /** The address that requests are counted by. */
  addressOf(request: IncomingMessage): string | null
  /** Told of faults, never of refusals. */
  report(error: unknown, request: IncomingMessage): void
  /** Told which program is not known by its document, and why. */
  reportUnknown(clientId: string, error: unknown, request: IncomingMessage): void
}

export { credentialIdOf, type Provider }

/** The library for the protocol: codes, PKCE, tokens, and who may redirect where. */
export function openProvider(options: ProviderOptions): Provider {
  const { issuer, report } = options
  const provider = new Provider(issuer, configurationOf(options))
  // We say by headers what the public address is, whichever way the request has come.
  provider.proxy = true
  const faults: EventEmitter = provider
  faults.on('error', (error: unknown, { req }: KoaContextWithOIDC) => report(error, req))
  provider.on('server_error', ({ req }, error) => report(error, req))
  provider.use(async (context: KoaContextWithOIDC, next) => {
    if (context.path === ROUTES.authorization) askForKnownScopes(context)
    await next()
    const { route } = context.oidc ?? {}
    if (route === 'discovery') tellWhatIsThere(context, options.guard)
    if (route === 'token' && context.status === 200) await moveGrant(options, context)
    // Each request is answered by somebody anew: nothing is to be remembered of who did last time.
    if (route === 'resume') await context.oidc.session?.destroy()
  })
  return provider
}

/** The URL of what an access token is for. */
const resourceUrl = (issuer: string, resource: Resource): string => `${issuer}/${resource}`

/** The ways to write the URL of a resource: it is the same with a slash at its end. */
export function spellingsOf(url: string): [string, string] {
  const bare = url.replace(/\/$/, '')
  return [bare, `${bare}/`]
}

function resourceAt(issuer: string, url: unknown): Resource {
  const resource = RESOURCES.find((one) => spellingsOf(resourceUrl(issuer, one)).some((spelling) => spelling === url))
  if (!resource) throw new errors.InvalidTarget(`the resource must be ${resourceUrl(issuer, 'mcp')}`)
  return resource
}

function configurationOf({ services, key, guard, issuer, addressOf, reportUnknown }: ProviderOptions): Configuration {
  const secret = key.derive('oauth clients')
  const asking = (): Asking => {
    const context = Provider.ctx
    return {
      address: () => (context ? addressOf(context.req) : null),
      isRevocation: context?.oidc.route === 'revocation',
    }
  }
  return {
    adapter: recordsOf({ services, secret, asking }),
    routes: ROUTES,
    scopes: [...TOKEN_SCOPES, 'offline_access'],
    responseTypes: ['code'],
    // The library wants one. It signs nothing: there are no tokens that anybody could check, all are looked up.
    jwks: { keys: [signingKey(key.derive('oauth signatures'))] },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: {
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'Ed25519',
    },
    extraClientMetadata: { properties: ['redirect_uris'], validator: (_context, _name, uris) => checkRedirects(uris) },
    pkce: { required: () => true },
    cookies: {
      keys: [key.derive('oauth cookies').toString('base64url')],
      names: { session: 'oauth_session', interaction: 'oauth_consent', resume: 'oauth_resume' },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
      long: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_context, client, token) => client.clientId === token.clientId },
      registration: {
        enabled: true,
        issueRegistrationAccessToken: false,
        idFactory: (context) => {
          context.state.clientId = crypto.randomUUID()
          return context.state.clientId
        },
        secretFactory: (context) => clientSecret(secret, context.state.clientId),
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: (_context, clientId) => isNamed(clientId) && isLeft(services, asking().address()),
        cacheDuration: { min: 600, max: 86_400 },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_context, _client, granted) => granted?.[0] ?? resourceUrl(issuer, 'mcp'),
        useGrantedResource: () => true,
        getResourceServerInfo: ({ oidc }, url) => {
          if (Array.isArray(oidc.params?.resource)) throw new errors.InvalidTarget('there must be one resource')
          resourceAt(issuer, url)
          const info = {
            scope: TOKEN_SCOPES.join(' '),
            accessTokenFormat: 'opaque' as const,
            accessTokenTTL: ACCESS_TOKEN_SECONDS,
          }
          // A program may write it in one way when it asks for the grant, and in the other when it gets the token.
          const { resourceServers = {}, provider } = oidc
          for (const spelling of spellingsOf(url)) {
            resourceServers[spelling] ??= new provider.ResourceServer(spelling, info)
          }
          return info
        },
      },
    },
    fetch: (url, options) =>
      services.gate.run('elsewhere', { payer: payerOf(null), address: asking().address }, () =>
        fetchDocument(String(url), guard, options?.signal ?? AbortSignal.timeout(FETCH_MS)),
      ),
    fetchResponseBodyLimits: { 'client_id metadata document': DOCUMENT_BYTES },
    clientBasedCORS: () => true,
    interactions: { url: (_context, { uid }) => consentPath(uid), policy: askEachTime() },
    findAccount: (_context, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    loadExistingGrant: async ({ oidc: { result, provider } }) => {
      const grantId = result?.consent?.grantId
      return grantId === undefined ? undefined : provider.Grant.find(grantId)
    },
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    renderError: (context, out, error) => {
      const document = unknownDocument(context, error)
      if (document !== null) reportUnknown(document, error, context.req)
      showError(context, out, document)
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: 60,
      Grant: GRANT_SECONDS,
      Interaction: CONSENT_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      Session: CONSENT_SECONDS,
    },
  }
}

/** The DER header before the 32 bytes of a key for Ed25519 (RFC 8410). */
const ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

const signingKey = (bytes: Buffer): JWK =>
  createPrivateKey({ key: Buffer.concat([ED25519, bytes]), format: 'der', type: 'pkcs8' }).export({
    format: 'jwk',
  }) as JWK

/** Whether a client id has a host name. People could not recognize a program at a bare address. */
const isNamed = (clientId: string): boolean => URL.canParse(clientId) && addressIn(new URL(clientId)) === null

/** Whether one more document may be fetched for somebody: by their requests, strangers make us ask others. */
function isLeft({ limits }: Services, address: string | null): boolean {
  try {
    if (address !== null) limits.authorizations.take(address)
    return true
  } catch {
    return false
  }
}

function checkRedirects(uris: unknown): void {
  if (Array.isArray(uris) && uris.every((uri) => typeof uri !== 'string' || isRedirect(uri))) return
  throw new errors.InvalidClientMetadata('redirect_uris must be https, of this machine, or of an app')
}

/** Somebody is asked each time, whatever they have said before. */
function askEachTime() {
  const { Check, Prompt, base } = interactionPolicy
  const policy = base()
  policy.clear()
  policy.add(new Prompt({ name: 'login', requestable: true }))
  policy.add(
    new Prompt(
      { name: 'consent', requestable: true },
      new Check('consent_needed', 'somebody has to say what the program may do', ({ oidc }) => !oidc.result?.consent),
    ),
  )
  return policy
}

/** A program that asks for no scopes gets the usual ones. Scopes unknown to us, such as `openid`, are ignored. */
function askForKnownScopes(context: KoaContextWithOIDC): void {
  const { scope } = context.query
  if (Array.isArray(scope)) return
  const asked = scope?.split(' ') ?? []
  const known = TOKEN_SCOPES.filter((one) => asked.includes(one))
  const scopes = known.length > 0 ? known : DEFAULT_GRANT_SCOPES
  const more = asked.includes('offline_access') ? ['offline_access'] : []
  context.query = { ...context.query, scope: [...scopes, ...more].join(' ') }
}

/** The metadata without what it says of OpenID Connect, which is not spoken here. */
function tellWhatIsThere(context: KoaContextWithOIDC, { allowsPublic }: AddressGuard): void {
  const { issuer, ...told } = context.body as Record<string, unknown>
  const of = /^(authorization|token|registration|revocation|code_challenge|scopes|grant_types|response_types|client_id)/
  context.body = {
    issuer,
    ...Object.fromEntries(Object.entries(told).filter(([name]) => of.test(name))),
    response_modes_supported: ['query', 'fragment'],
    scopes_supported: [...TOKEN_SCOPES, 'offline_access'],
    // A program that is told so gives the address of its document, which is on the internet.
    ...(!allowsPublic && { client_id_metadata_document_supported: false }),
  }
}

/** Lets the token that the program is about to get stand for its grant, in our form, and tells it what that opens. */
async function moveGrant({ services, issuer }: ProviderOptions, context: KoaContextWithOIDC): Promise<void> {
  const { AccessToken: issued } = context.oidc.entities
  if (!issued?.grantId) return
  const { grants } = services.database
  const patId = credentialIdOf(issued.grantId)
  const body = context.body as Record<string, unknown>
  const now = Math.floor(databaseClock.now().getTime() / 1_000)
  await services.gate.run('change', { payer: payerOf(null) }, async () => {
    const grant = await grants.find(patId)
    const { scopes, expiresAt } = grant?.limits ?? {}
    const end = Math.min(now + ACCESS_TOKEN_SECONDS, expiresAt ? Math.floor(expiresAt.getTime() / 1_000) : Infinity)
    const token = accessToken(resourceAt(issuer, issued.aud), end, String(body.access_token))
    if (grant && (await grants.move(patId, hashOf(token)))) {
      context.body = { ...body, access_token: token, expires_in: end - now, scope: scopes?.join(' ') }
      return
    }
    context.status = 400
    context.body = { error: 'invalid_grant', error_description: 'the grant has ended' }
  })
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** How much is shown of the address of a document, in characters. */
const MAX_DOCUMENT_ADDRESS = 500

/** The address of the program's document if the program is not known by it; null for any other error. */
function unknownDocument({ query }: KoaContextWithOIDC, error: unknown): string | null {
  const isUnknown = error instanceof errors.InvalidClient || error instanceof errors.InvalidClientMetadata
  const { client_id: clientId } = query
  if (!isUnknown || typeof clientId !== 'string' || !clientId.startsWith('https://')) return null
  return cutText(clientId, MAX_DOCUMENT_ADDRESS)
}

/** For people, when there is no program to tell it to. */
function showError(
  context: KoaContextWithOIDC,
  { error, error_description: detail }: ErrorOut,
  document: string | null,
): void {
  context.type = 'html'
  context.body =
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>This cannot be answered</title>' +
    '<h1>This request cannot be answered</h1><p>The program that sent you here asked in a way that is not allowed.</p>' +
    `<p><code>${escaped(error)}</code> ${escaped(detail ?? '')}</p>` +
    (document === null ? '' : `<p>The address of its document: <code>${escaped(document)}</code></p>`)
}
