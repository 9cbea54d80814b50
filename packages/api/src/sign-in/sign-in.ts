import { type ClaimRule, forbidden, type JsonObject, noServerKey } from '@collab-spaces/domain'
import { Seals } from './seal.js'

/** The request to the provider to sign somebody in, and the values that have to come back. */
export interface Began {
  /** Sent through the browser: what comes back with another one was not begun here. */
  readonly state: string
  /** In what the provider signs. */
  readonly nonce: string
  /** Known here alone: with it, and only once, the code of the provider is worth something. */
  readonly verifier: string
}

/** The parameters with which the provider sends the browser back. */
export interface Returned {
  readonly code: string
  /** The provider that sends the browser back, if it tells. */
  readonly iss: string | undefined
}

/** Claims that are signed by the provider, for this installation. */
export interface Claims {
  readonly issuer: string
  readonly claims: JsonObject
}

/** The provider of OpenID Connect: the server, which knows its settings and the network. */
export interface IdentityProvider {
  /** The name by which people know it. */
  readonly name: string
  /** The id or name of the tenant that its people are in, or which claim says so; null for the shared tenant. */
  readonly tenant: string | null
  /** The rule of who is an admin; null if the provider has no say in that. */
  readonly admins: ClaimRule | null
  /** The address to send the browser to. 503 if the provider does not answer. */
  begin(began: Began): Promise<string>
  /** 403 unless everything is as it was begun. 503 if it does not answer. */
  finish(began: Began, returned: Returned): Promise<Claims>
}

export interface SignInOptions {
  /** The secret that seals what goes through other hands; without it, nobody can sign in but with a key or a token. */
  readonly secret: Buffer | null | undefined
  readonly provider: IdentityProvider | null
  /** The address at which people find the page. Known for certain only once the server listens. */
  readonly site: () => string
}

/** The ways to sign in that this installation offers. */
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
