import { type ClaimRule, forbidden, type JsonObject, noServerKey } from '@collab-spaces/domain'
import { Seals } from './seal.js'

/** A started sign-in at the provider, with the values that the callback must match. */
export interface Began {
  /** Sent through the browser; a callback with another one was not started here. */
  readonly state: string
  /** Part of the provider's signed token. */
  readonly nonce: string
  /** The PKCE verifier, known only here. */
  readonly verifier: string
}

/** The callback parameters of the provider. */
export interface CallbackParameters {
  readonly code: string
  /** The issuer in the callback, if the provider sends it. */
  readonly iss: string | undefined
}

/** Claims that the provider has signed for this installation. */
export interface Claims {
  readonly issuer: string
  readonly claims: JsonObject
  /** The provider's URL that ends the session there and redirects back to the page; null if it has none. */
  readonly logoutUrl: string | null
}

/** An OpenID Connect provider. The server implements it, as it holds the settings and the network. */
export interface IdentityProvider {
  /** The name on the sign-in page. */
  readonly name: string
  /** The tenant of its users by ID or name, or the claim that names it; null for the shared tenant. */
  readonly tenant: string | null
  /** The claim that makes a user an admin; null for none. */
  readonly admins: ClaimRule | null
  /** Starts a sign-in. 503 if the provider does not answer. */
  begin(began: Began): Promise<string>
  /** Finishes a sign-in. 403 unless the callback matches its start, 503 if the provider does not answer. */
  finish(began: Began, returned: CallbackParameters): Promise<Claims>
}

export interface SignInOptions {
  /** The secret of the seals; without it, only keys and tokens work. */
  readonly secret: Buffer | null | undefined
  readonly provider: IdentityProvider | null
  /** Returns the URL of the page, which is final only once the server listens. */
  readonly site: () => string
}

/** The sign-in methods of this installation. */
export class SignIn {
  readonly provider: IdentityProvider | null
  readonly site: () => string
  readonly #seals: Seals | null

  constructor({ secret, provider, site }: SignInOptions) {
    this.provider = provider
    this.site = site
    this.#seals = secret ? new Seals(secret) : null
  }

  get hasKey(): boolean {
    return this.#seals !== null
  }

  /** 409 if this server has no key to make them with. */
  get seals(): Seals {
    if (!this.#seals) throw noServerKey('Sessions')
    return this.#seals
  }

  /** 403 if there is none. */
  requireProvider(): IdentityProvider {
    if (!this.provider) throw forbidden('This installation offers no sign-in with an identity provider')
    return this.provider
  }
}
