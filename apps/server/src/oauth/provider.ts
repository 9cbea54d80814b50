import { createPrivateKey } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { fairKeyOf, hashOf, type Services } from '@collab-spaces/api'
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
import { DOCUMENT_BYTES, explainDocument, fetchDocument } from './document.js'
import { clientSecret, credentialIdOf, recordsOf, type ServedRequest } from './records.js'

/** The endpoints of the protocol. */
const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
} as const

/** The consent page. Its cookie is limited to this path. */
const consentPath = (uid: string): string => `/connect/${uid}`

/** Timeout of fetching a client metadata document. */
const FETCH_MS = 2_500

/** The account ID for the library, which needs one. The grant records the human who consents. */
const ACCOUNT_ID = 'account'

/** Returns the result of a consent. */
export const consentTo = (grantId: string) => ({
  login: { accountId: ACCOUNT_ID, remember: false },
  consent: { grantId },
})

/** The lifetime of grants for the library. Credentials have their own expiry. */
const GRANT_SECONDS = 10 * 365 * 24 * 3_600

export interface ProviderOptions {
  readonly services: Services
  readonly key: ServerKey
  readonly guard: AddressGuard
  /** The origin of the public URL. */
  readonly issuer: string
  /** Returns the address for rate limits. */
  addressOf(request: IncomingMessage): string | null
  /** Called for faults, not for refusals. */
  report(error: unknown, request: IncomingMessage): void
  /** Called with a client document that could not be used. */
  reportUnknown(document: UnknownDocument, error: unknown, request: IncomingMessage): void
}

export { credentialIdOf, type Provider }

/** Opens the library for the protocol: codes, PKCE, tokens, and redirect URIs. */
export function openProvider(options: ProviderOptions): Provider {
  const { issuer, report } = options
  const provider = new Provider(issuer, configurationOf(options))
  // Headers tell the library the public URL, whatever the requested host.
  provider.proxy = true
  const faults: EventEmitter = provider
  faults.on('error', (error: unknown, { req }: KoaContextWithOIDC) => report(error, req))
  provider.on('server_error', ({ req }, error) => report(error, req))
  provider.use(async (context: KoaContextWithOIDC, next) => {
    if (context.path === ROUTES.authorization) normalizeScopes(context)
    await next()
    const { route } = context.oidc ?? {}
    if (route === 'discovery') trimMetadata(context, options.guard)
    if (route === 'token' && context.status === 200) await moveGrant(options, context)
    // A human answers each request; the library must not remember a session.
    if (route === 'resume') await context.oidc.session?.destroy()
  })
  return provider
}

/** Returns the URL of a resource. */
const resourceUrl = (issuer: string, resource: Resource): string => `${issuer}/${resource}`

/** Returns the spellings of a resource's URL, with and without a final slash. */
export function spellingsOf(url: string): [string, string] {
  const bare = url.replace(/\/$/, '')
  return [bare, `${bare}/`]
}

function resourceAt(issuer: string, url: unknown): Resource {
  const resource = RESOURCES.find((one) => spellingsOf(resourceUrl(issuer, one)).some((spelling) => spelling === url))
  if (!resource) throw new errors.InvalidTarget(`the resource must be ${resourceUrl(issuer, 'mcp')}`)
  return resource
}

function configurationOf(options: ProviderOptions): Configuration {
  const { services, key, guard, addressOf, reportUnknown } = options
  const secret = key.derive('oauth clients')
  const asking = (): ServedRequest => {
    const context = Provider.ctx
    return {
      address: () => (context ? addressOf(context.req) : null),
      isRevocation: context?.oidc.route === 'revocation',
      use: (place) => Object.assign(context?.state ?? {}, { used: place }),
    }
  }
  return {
    adapter: recordsOf({ services, secret, asking }),
    routes: ROUTES,
    scopes: [...TOKEN_SCOPES, 'offline_access'],
    responseTypes: ['code'],
    // The library requires a key. It signs nothing, as tokens are looked up, not verified.
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
    features: featuresOf(options, secret, asking),
    fetch: (url, options) =>
      services.gate.run('elsewhere', { fairKey: fairKeyOf(null), address: asking().address }, () =>
        fetchDocument(String(url), guard, options?.signal ?? AbortSignal.timeout(FETCH_MS)),
      ),
    fetchResponseBodyLimits: { 'client_id metadata document': DOCUMENT_BYTES },
    clientBasedCORS: () => true,
    interactions: { url: (_context, { uid }) => consentPath(uid), policy: consentEachTime() },
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

/** Returns what the library does of the protocol, and of its extensions. */
function featuresOf(
  { services, issuer }: ProviderOptions,
  secret: Buffer,
  asking: () => ServedRequest,
): NonNullable<Configuration['features']> {
  return {
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
        // A client may spell it differently in the authorization and the token request.
        const { resourceServers = {}, provider } = oidc
        for (const spelling of spellingsOf(url)) {
          resourceServers[spelling] ??= new provider.ResourceServer(spelling, info)
        }
        return info
      },
    },
  }
}

/** The DER header before the 32 bytes of a key for Ed25519 (RFC 8410). */
const ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

const signingKey = (bytes: Buffer): JWK =>
  createPrivateKey({ key: Buffer.concat([ED25519, bytes]), format: 'der', type: 'pkcs8' }).export({
    format: 'jwk',
  }) as JWK

/** Whether a client ID has a host name, as humans could not recognize a client by an IP address. */
const isNamed = (clientId: string): boolean => URL.canParse(clientId) && addressIn(new URL(clientId)) === null

/** Whether an address may cause one more fetch of a document, as authorization requests need no credential. */
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

/** Returns the policy that asks for consent each time. */
function consentEachTime() {
  const { Check, Prompt, base } = interactionPolicy
  const policy = base()
  policy.clear()
  policy.add(new Prompt({ name: 'login', requestable: true }))
  policy.add(
    new Prompt(
      { name: 'consent', requestable: true },
      new Check('consent_needed', 'a human must consent', ({ oidc }) => !oidc.result?.consent),
    ),
  )
  return policy
}

/** Sets the default scopes for a client that requests none, and ignores unknown ones such as `openid`. */
function normalizeScopes(context: KoaContextWithOIDC): void {
  const { scope } = context.query
  if (Array.isArray(scope)) return
  const requested = scope?.split(' ') ?? []
  const known = TOKEN_SCOPES.filter((one) => requested.includes(one))
  const scopes = known.length > 0 ? known : DEFAULT_GRANT_SCOPES
  const more = requested.includes('offline_access') ? ['offline_access'] : []
  context.query = { ...context.query, scope: [...scopes, ...more].join(' ') }
}

/** Removes OpenID Connect, which is not supported, from the metadata. */
function trimMetadata(context: KoaContextWithOIDC, { allowsPublic }: AddressGuard): void {
  const { issuer, ...told } = context.body as Record<string, unknown>
  const of = /^(authorization|token|registration|revocation|code_challenge|scopes|grant_types|response_types|client_id)/
  context.body = {
    issuer,
    ...Object.fromEntries(Object.entries(told).filter(([name]) => of.test(name))),
    response_modes_supported: ['query', 'fragment'],
    scopes_supported: [...TOKEN_SCOPES, 'offline_access'],
    // Announces client documents only if public addresses can be reached.
    ...(!allowsPublic && { client_id_metadata_document_supported: false }),
  }
}

/** Binds the new token to its grant, in the form of our tokens, and adds its scopes to the response. */
async function moveGrant({ services, issuer, addressOf }: ProviderOptions, context: KoaContextWithOIDC): Promise<void> {
  const { AccessToken: issued } = context.oidc.entities
  if (!issued?.grantId) return
  const { grants } = services.database
  const patId = credentialIdOf(issued.grantId)
  const body = context.body as Record<string, unknown>
  const now = Math.floor(databaseClock.now().getTime() / 1_000)
  const address = () => addressOf(context.req)
  await services.gate.run('change', { fairKey: fairKeyOf(null), address }, async () => {
    const grant = await grants.find(patId)
    const { scopes, expiresAt } = grant?.limits ?? {}
    const end = Math.min(now + ACCESS_TOKEN_SECONDS, expiresAt ? Math.floor(expiresAt.getTime() / 1_000) : Infinity)
    const token = accessToken(resourceAt(issuer, issued.aud), end, String(body.access_token))
    if (grant && (await grants.move(patId, hashOf(token), context.state.used))) {
      context.body = { ...body, access_token: token, expires_in: end - now, scope: scopes?.join(' ') }
      return
    }
    context.status = 400
    context.body = { error: 'invalid_grant', error_description: 'the grant has ended, or this was used before' }
  })
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** The maximum length of a document URL in the log. */
const MAX_DOCUMENT_ADDRESS = 500

/** A client document that could not be used. */
interface UnknownDocument {
  readonly address: string
  /** For the log alone: a page that anyone may open must not tell what the server reaches. Null if the library says it. */
  readonly why: string | null
}

/** Returns the client document that caused an error; null for any other error. */
function unknownDocument({ query }: KoaContextWithOIDC, error: unknown): UnknownDocument | null {
  const isUnknown = error instanceof errors.InvalidClient || error instanceof errors.InvalidClientMetadata
  const { client_id: clientId } = query
  if (!isUnknown || typeof clientId !== 'string' || !clientId.startsWith('https://')) return null
  return { address: cutText(clientId, MAX_DOCUMENT_ADDRESS), why: whyUnknown(clientId, error) }
}

function whyUnknown(clientId: string, { cause, error_description: detail }: errors.OIDCProviderError): string | null {
  if (cause !== undefined) return explainDocument(cause)
  if (!isNamed(clientId)) return 'Its address has no host name'
  return detail?.endsWith('fetch not allowed') ? 'Too many documents were requested from here: try again later' : null
}

/** Shows an error to the human when it cannot be redirected to the client. */
function showError(
  context: KoaContextWithOIDC,
  { error, error_description: detail }: ErrorOut,
  document: UnknownDocument | null,
): void {
  context.type = 'html'
  context.body =
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>This cannot be answered</title>' +
    '<h1>This request cannot be answered</h1><p>The program that sent you here asked in a way that is not allowed.</p>' +
    `<p><code>${escaped(error)}</code> ${escaped(detail ?? '')}</p>` +
    (document === null
      ? ''
      : `<p>The address of its document: <code>${escaped(document.address)}</code></p>` +
        '<p>The log of the server says why it was not accepted.</p>')
}
