import { createHash, randomBytes } from 'node:crypto'
import { bearer } from '@collab-spaces/testing'

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

/** The page that a browser has reached. */
export interface Visit {
  readonly url: URL
  readonly status: number
  readonly text: string
}

/** An actor's consent to a program, as the page sends it. */
export interface Consent {
  readonly actor_id: string
  readonly scopes: readonly string[]
  readonly space_ids?: readonly string[]
  readonly expires_at?: string
}

/**
 * The part of a browser that the flow needs: it keeps cookies by path, and follows redirects within a service. `at`
 * maps a URL to the address of a server of that service.
 */
export class Browser {
  readonly cookies: Cookie[] = []

  constructor(private at: (url: URL) => URL = (url) => url) {}

  /** Continues by way of another server. */
  use(at: (url: URL) => URL): void {
    this.at = at
  }

  async fetch(url: URL, init: RequestInit = {}): Promise<Response> {
    const cookie = this.cookies
      .filter(({ path }) => url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/')))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const headers = { ...(init.headers as Record<string, string>), ...(cookie !== '' && { cookie }) }
    const answer = await fetch(this.at(url), { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) this.#keep(line)
    return answer
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    const path = attributes.find((attribute) => attribute.startsWith('path='))?.slice(5) ?? '/'
    const known = this.cookies.findIndex((cookie) => cookie.name === name && cookie.path === path)
    if (known >= 0) this.cookies.splice(known, 1)
    if (value !== '') this.cookies.push({ name, value, path })
  }

  /** Opens a page, and follows all redirects within its origin. */
  async open(url: URL): Promise<Visit> {
    const answer = await this.fetch(url, { headers: { accept: 'text/html' } })
    const location = answer.headers.get('location')
    if (location === null) return { url, status: answer.status, text: await answer.text() }
    const next = new URL(location, url)
    return next.origin === url.origin ? this.open(next) : { url: next, status: answer.status, text: '' }
  }

  /** Returns the request that the page shows. */
  request(page: URL): Promise<Response> {
    return this.fetch(new URL(`${page.pathname}/request`, page))
  }

  /** Sends the answer of the page with its credential. */
  answer(page: URL, key: string, consent: Consent | { error: string }, headers: object = {}): Promise<Response> {
    return this.fetch(new URL(`${page.pathname}/answer`, page), {
      method: 'POST',
      headers: { ...bearer(key), 'content-type': 'application/json', ...headers },
      body: JSON.stringify(consent),
    })
  }

  /** Consents, and returns the address that the program is sent to. */
  async consent(authorize: URL, key: string, consent: Consent): Promise<URL> {
    const { url: page, text } = await this.open(authorize)
    if (!page.pathname.startsWith('/connect/')) throw new Error(`${page} ${text}`)
    const answer = await this.answer(page, key, consent)
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
    const { redirect_to } = (await answer.json()) as { redirect_to: string }
    return (await this.open(new URL(redirect_to))).url
  }
}

export const REDIRECT = 'http://127.0.0.1:7777/callback'

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly scope: string
}

/** The answer of an endpoint for programs. */
export interface OauthAnswer {
  readonly status: number
  readonly body: Tokens & { readonly error?: string; readonly client_id: string }
}

/** A program that takes each step of the flow separately, so that each can fail. */
export class Program {
  readonly verifier = randomBytes(32).toString('base64url')
  clientId = ''

  constructor(
    readonly issuer: string,
    /** The address of a server of the issuer. */
    readonly url = issuer,
  ) {}

  async post(path: string, body: Record<string, string>, at = this.url): Promise<OauthAnswer> {
    const answer = await fetch(new URL(path, at), { method: 'POST', body: new URLSearchParams(body) })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) }
  }

  async register(metadata: object = {}): Promise<OauthAnswer> {
    const answer = await fetch(new URL('/oauth/register', this.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Scripted', redirect_uris: [REDIRECT], ...metadata }),
    })
    const body = (await answer.json()) as OauthAnswer['body']
    this.clientId = body.client_id
    return { status: answer.status, body }
  }

  authorizeUrl(changes: Record<string, string | undefined> = {}): URL {
    const url = new URL('/oauth/authorize', this.issuer)
    const challenge = createHash('sha256').update(this.verifier).digest('base64url')
    const parameters = {
      client_id: this.clientId,
      response_type: 'code',
      redirect_uri: REDIRECT,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource: `${this.issuer}/mcp`,
      scope: 'read write',
      state: 'a state',
      ...changes,
    }
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
    return url
  }

  redeem(code: string, changes: Record<string, string> = {}, at = this.url): Promise<OauthAnswer> {
    const body = { grant_type: 'authorization_code', client_id: this.clientId, redirect_uri: REDIRECT, code }
    return this.post('/oauth/token', { ...body, code_verifier: this.verifier, ...changes }, at)
  }

  refresh(token: string, changes: Record<string, string> = {}, at = this.url): Promise<OauthAnswer> {
    const body = { grant_type: 'refresh_token', client_id: this.clientId, refresh_token: token }
    return this.post('/oauth/token', { ...body, ...changes }, at)
  }

  revoke(token: string): Promise<OauthAnswer> {
    return this.post('/oauth/revoke', { client_id: this.clientId, token })
  }

  /** Takes all steps, with the consent of an actor. */
  async connect(key: string, consent: Consent, changes: Record<string, string> = {}): Promise<Tokens> {
    await this.register()
    const back = await new Browser((url) => new URL(url.pathname + url.search, this.url)).consent(
      this.authorizeUrl(changes),
      key,
      consent,
    )
    const { status, body } = await this.redeem(back.searchParams.get('code') ?? '')
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body
  }
}
