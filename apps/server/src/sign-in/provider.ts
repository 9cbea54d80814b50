import type { Began, CallbackParameters, Claims, IdentityProvider } from '@collab-spaces/api'
import {
  type ClaimRule,
  claimOfTenant,
  cutText,
  issuerDiffers,
  type JsonObject,
  plainLine,
  providerUnreachable,
  signInFailed,
} from '@collab-spaces/domain'
import type { Configuration } from 'openid-client'
import type { Settings } from '../settings.js'

export type ProviderSettings = NonNullable<Settings['oidc']>

/** Timeout of the provider in seconds. */
const TIMEOUT_S = 10

/** The maximum length of a foreign issuer in the log. */
const MAX_ISSUER = 200

/** How much of a cause is shown, in characters. */
const MAX_CAUSE = 300

/** The maximum length of an ID token in a URL. Without it, the provider asks the user to confirm. */
const MAX_HINT = 4_000

const CALLBACK = '/sign-in/callback'

/** Loaded by the first sign-in. */
const library = () => import('openid-client')

/** An OpenID Connect provider. Its metadata is read at the first sign-in, and again after a failure. */
export class OpenIdProvider implements IdentityProvider {
  readonly name: string
  readonly tenant: string | null
  readonly admins: ClaimRule | null
  #configuration: Promise<Configuration> | null = null

  constructor(
    private readonly settings: ProviderSettings,
    /** Returns the URL of the page. */
    private readonly site: () => string,
    /** Called with the cause of a failed sign-in, which is not shown to the client. */
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.name = new URL(settings.issuer).host
    this.tenant = settings.tenant
    this.admins = settings.admins
  }

  async begin({ state, nonce, verifier }: Began): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
    const configuration = await this.#configured()
    return buildAuthorizationUrl(configuration, {
      redirect_uri: this.#callback().href,
      scope: this.#scope(configuration),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).href
  }

  async finish({ state, nonce, verifier }: Began, { code, iss }: CallbackParameters): Promise<Claims> {
    const { authorizationCodeGrant, fetchUserInfo } = await library()
    // With fresh keys: the library does not fetch new ones within a minute, even for an unknown key.
    this.#configuration = null
    const configuration = await this.#configured()
    const returned = this.#callback()
    for (const [name, value] of Object.entries({ code, state, iss })) {
      if (value !== undefined) returned.searchParams.set(name, value)
    }
    try {
      const tokens = await authorizationCodeGrant(configuration, returned, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      })
      const signed = tokens.claims()
      if (!signed) throw new Error('the provider sent no ID token')
      // Most providers send all claims but the subject only there.
      const userInfo = configuration.serverMetadata().userinfo_endpoint
        ? await fetchUserInfo(configuration, tokens.access_token, signed.sub)
        : {}
      const logoutUrl = await this.#logoutUrl(configuration, tokens.id_token)
      return { issuer: signed.iss, claims: { ...userInfo, ...signed } as JsonObject, logoutUrl }
    } catch (error) {
      this.onFailure(error)
      throw isUnreachable(error) ? providerUnreachable() : signInFailed()
    }
  }

  /** By RP-Initiated Logout. The callback is also where the provider returns to, so that it has one URL to register. */
  async #logoutUrl(configuration: Configuration, idToken = ''): Promise<string | null> {
    const endpoint = configuration.serverMetadata().end_session_endpoint
    if (endpoint === undefined || !/^https?:/.test(endpoint)) return null
    const { buildEndSessionUrl } = await library()
    return buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: this.#callback().href,
      ...(idToken.length <= MAX_HINT && { id_token_hint: idToken }),
    }).href
  }

  #callback(): URL {
    return new URL(CALLBACK, this.site())
  }

  /** Requests groups if the provider has a scope for them and a setting depends on a claim. */
  #scope(configuration: Configuration): string {
    const wantsClaims = this.admins !== null || claimOfTenant(this.tenant ?? '') !== null
    const hasGroups = configuration.serverMetadata().scopes_supported?.includes('groups') === true
    return ['openid', 'email', 'profile', ...(wantsClaims && hasGroups ? ['groups'] : [])].join(' ')
  }

  async #configured(): Promise<Configuration> {
    this.#configuration ??= discover(this.settings)
    try {
      return await this.#configuration
    } catch (error) {
      this.#configuration = null
      const found = otherIssuer(error)
      const refusal = found === null ? providerUnreachable() : issuerDiffers(this.settings.issuer, found)
      this.onFailure(found === null ? error : new Error(refusal.detail, { cause: error }))
      throw refusal
    }
  }
}

/** Reads the provider's metadata. */
async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Configuration> {
  const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await library()
  const url = new URL(issuer)
  // The settings allow plain http only on this machine.
  const insecure = url.protocol === 'http:' ? [allowInsecureRequests] : []
  // Also verifies signatures, for which the library would otherwise rely on TLS.
  const execute = [enableNonRepudiationChecks, ...insecure]
  return discovery(url, clientId, clientSecret, undefined, { timeout: TIMEOUT_S, execute })
}

export interface IssuerProblem {
  /** True if the setting is wrong; false if the provider could not be asked. */
  readonly isMismatch: boolean
  readonly message: string
}

/** Compares `OIDC_ISSUER` with the provider's metadata. Returns null if they agree. */
export async function issuerProblem(settings: ProviderSettings): Promise<IssuerProblem | null> {
  try {
    await discover(settings)
    return null
  } catch (error) {
    const found = otherIssuer(error)
    return found === null
      ? { isMismatch: false, message: `OIDC_ISSUER ${settings.issuer} cannot be checked: ${causeOf(error)}` }
      : { isMismatch: true, message: issuerDiffers(settings.issuer, found).detail }
  }
}

/** Returns the innermost cause, such as "connect ECONNREFUSED 127.0.0.1:8080": the outer ones say "fetch failed". */
function causeOf(error: unknown): string {
  // A name with several addresses fails with one error for each.
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0])
  if (!(error instanceof Error)) return plainLine(String(error))
  if (error.cause instanceof Error) return causeOf(error.cause)
  const status = error.cause instanceof Response ? ` (${error.cause.status})` : ''
  return cutText(plainLine(error.message), MAX_CAUSE) + status
}

/** The issuer in the metadata if that is why the library refuses it; null for any other error. */
function otherIssuer(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { attribute, body } = (error.cause ?? {}) as { readonly attribute?: string; readonly body?: JsonObject }
  if (attribute === 'issuer' && typeof body?.issuer === 'string') return cutText(plainLine(body.issuer), MAX_ISSUER)
  return otherIssuer(error.cause)
}

/** Whether the provider was unreachable or too slow. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === 'fetch failed' ||
    ['AbortError', 'TimeoutError'].includes(error.name) ||
    isUnreachable(error.cause))
